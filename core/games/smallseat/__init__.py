"""Smallseat: the rules, as pure functions. The game is not on the menu yet."""
