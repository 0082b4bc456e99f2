"""The store in memory, for tests: it passes the contract tests of the one in Redis."""
