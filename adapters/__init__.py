"""Everything that touches the world: platforms, stores, the command."""
