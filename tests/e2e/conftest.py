"""The real servers that the evening is kept on."""

from tests.servers import redis_url, server_urls

__all__ = ["redis_url", "server_urls"]
