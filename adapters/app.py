"""The composition root: settings -> ports -> service -> platforms, web app and worker."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

import adapters
from adapters import packs
from adapters.entropy import SystemEntropy
from adapters.platform import Adapter, Platform, Shared
from adapters.redis_store import embedded, outbox
from adapters.redis_store.client import connect
from adapters.redis_store.counters import RedisCounters
from adapters.redis_store.directory import RedisDirectory
from adapters.redis_store.store import RedisRecords
from adapters.settings import Reader, Settings, WrongSettings, data_folder, read_settings
from adapters.vault import AddressBook, Vault
from adapters.worker import Worker
from core import text
from core.ports import StoreAway
from core.service import Service
from core.table import House

GRACE_SECONDS = 5
log = logging.getLogger("parlour")


class Parlour(Struct, frozen=True):
    """An open Parlour."""

    service: Service
    records: RedisRecords
    platforms: Mapping[str, Platform]
    worker: Worker


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop where it can be had (not on Windows), else the default: a sixth more per second."""
    try:
        uvloop = import_module("uvloop")
    except ImportError:
        return None
    new_loop: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return new_loop


def find_adapters() -> dict[str, Adapter[Any]]:
    """Every package in `adapters` that has an ADAPTER, by name. Adding one edits nothing."""
    packages = [module.name for module in iter_modules(adapters.__path__) if module.ispkg]
    modules = [import_module(f"adapters.{name}") for name in sorted(packages)]
    found: list[Adapter[Any]] = [m.ADAPTER for m in modules if hasattr(m, "ADAPTER")]
    return {adapter.name: adapter for adapter in found}


def configured(environ: Mapping[str, str]) -> tuple[Settings, dict[str, tuple[Adapter[Any], Any]]]:
    """The settings, and each platform that is in use with its own.

    Raises WrongSettings, which names everything that is missing or wrong.
    """
    reader = Reader(environ)
    settings = read_settings(reader)
    found = {name: (one, one.settings(reader)) for name, one in find_adapters().items()}
    chosen = {name: pair for name, pair in found.items() if pair[1] is not None}
    if not chosen:
        reader.fault("platforms", f"not one is set up; {_what_platforms_take()}")
    reader.finish()
    return settings, chosen


def _what_platforms_take() -> str:
    takes: list[str] = []
    for name, adapter in find_adapters().items():
        nothing = Reader({}, every_platform=True)
        adapter.settings(nothing)
        takes.append(f"{name} takes {', '.join(nothing.faulty)}")
    return "; ".join(takes)


def take_packs(environ: Mapping[str, str]) -> None:
    """Let rooms play with this user's own packs of words; the log tells of one that can't be."""
    for fault in packs.register_all(environ):
        log.warning("a pack of words is left out: %s", fault)


class Stores(Struct, frozen=True):
    """The ports of one Redis."""

    records: RedisRecords
    outbox: outbox.RedisOutbox
    directory: RedisDirectory
    counters: RedisCounters

    def shared(self, secret: bytes) -> Shared:
        """What the platforms share, addresses sealed with `secret`."""
        return Shared(AddressBook(Vault(secret), self.directory), self.directory, self.counters)


@asynccontextmanager
async def stores(redis_url: str, lease_ms: int = outbox.LEASE_MS) -> AsyncGenerator[Stores]:
    """The stores at `redis_url`, or on the embedded server where that is empty."""
    url = redis_url or embedded.url(embedded.ensure(data_folder(os.environ)))
    async with connect(url) as server:
        letters = outbox.RedisOutbox(server, lease_ms)
        directory, counters = RedisDirectory(server), RedisCounters(server)
        yield Stores(RedisRecords(server), letters, directory, counters)


@asynccontextmanager
async def opened(
    settings: Settings, chosen: Mapping[str, tuple[Adapter[Any], Any]]
) -> AsyncGenerator[Parlour]:
    """Parlour, connected to everything, for as long as the context is entered."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(stores(settings.redis_url, settings.lease_ms))
        shared = store.shared(settings.secret)
        platforms: dict[str, Platform] = {
            name: await stack.enter_async_context(adapter.open(its, shared))
            for name, (adapter, its) in chosen.items()
        }
        house = House(tuple(platform.way for platform in platforms.values()), settings.second_ms)
        phones = next((each.phones for each in platforms.values() if each.phones), None)
        service = Service(
            store.records, store.outbox, store.directory, SystemEntropy(), house, text.load(),
            phones=phones, counters=store.counters,
        )  # fmt: skip
        messengers = {name: platform.messenger for name, platform in platforms.items()}
        worker = Worker(service, store.outbox, messengers)
        yield Parlour(service, store.records, platforms, worker)


def web(parlour: Parlour) -> Starlette:
    """The web app: every platform's webhooks, and /health."""

    async def health(request: Request) -> Response:
        del request
        try:
            await parlour.records.live()
        except StoreAway:
            return PlainTextResponse("the store is away\n", 503)
        return PlainTextResponse("ok\n")

    routes = [one for each in parlour.platforms.values() for one in each.routes(parlour.service)]
    return Starlette(routes=[Route("/health", health), *routes])


async def serve(environ: Mapping[str, str], *, listen: bool) -> None:
    """Run until a signal; with `listen` the webhooks too, else only the worker.

    A signal lets the requests and sends under way finish. Without a handler of our own, uvicorn
    would let it kill the process as soon as the last request is answered.
    """
    settings, chosen = configured(environ)
    take_packs(environ)
    stopped = asyncio.Event()
    with suppress(NotImplementedError):  # on Windows a signal ends it all
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with opened(settings, chosen) as parlour:
        worker = asyncio.create_task(parlour.worker.run())
        log.info("Parlour is open: %s", ", ".join(parlour.platforms))
        try:
            if listen and not stopped.is_set():
                await _listen(web(parlour), settings)
            else:
                await stopped.wait()
        finally:
            worker.cancel()
            await asyncio.wait([worker])


async def _listen(site: Starlette, settings: Settings) -> None:
    config = uvicorn.Config(
        site,
        settings.host,
        settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    try:
        await uvicorn.Server(config).serve()
    except SystemExit:  # it has logged why
        where = f"{settings.host}, {settings.port}"
        raise WrongSettings(f"HOST, PORT: nobody can listen at {where}") from None
