"""Play in a terminal: every seat that is yours in one window, bots at the others."""
