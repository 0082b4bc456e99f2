"""The store in Redis or Valkey: every event is one Lua script, atomic over all that it changes."""
