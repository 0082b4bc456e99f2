"""Ferret Out: one of you has another word, and doesn't know it either."""

from core.games.ferret_out.rules import GAME as GAME
