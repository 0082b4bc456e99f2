"""How the product is broken from outside, and mended again."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

Real = Callable[..., Any]
"""What stands where a mutant is put: each mutant knows what that is."""
Fault = Callable[[Real], object]
"""Makes of what is there what is to be there instead."""
Mutants = dict[str, Callable[[], AbstractContextManager[None]]]
"""By name: as long as the context is entered, the product is broken."""


def mutant(kept: Mutants, name: str, owner: object, attribute: str) -> Callable[[Fault], Fault]:
    """Keep the function below as a mutant of an attribute."""

    def keep(fault: Fault) -> Fault:
        @contextmanager
        def broken() -> Generator[None]:
            real: Any = getattr(owner, attribute)
            setattr(owner, attribute, fault(real))
            try:
                yield
            finally:
                setattr(owner, attribute, real)

        kept[name] = broken
        return fault

    return keep
