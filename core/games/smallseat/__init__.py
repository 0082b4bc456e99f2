"""Smallseat: vote with Animals, and keep the one that wins."""

from core.games.smallseat.rules import GAME as GAME
