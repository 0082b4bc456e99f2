"""`parlour pack`: for whoever makes packs of words. It is no platform."""

from adapters.packs.commands import describe as describe
from adapters.packs.store import register_all as register_all
