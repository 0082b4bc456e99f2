"""Parlour's pure core: rooms, games, words. Only `core.service` awaits anything."""
