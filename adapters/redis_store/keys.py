"""What lies where in Redis.

Every key of a record carries the hash tag of the record's shard, and so do the shard's timers,
queue and letters: one commit stays in one slot, on one server as on a cluster.

    {s07}:r:<room>  {s07}:p:<person>     HASH    v revision, d blob (JSON)
    {s07}:u:<record>:<event>             STRING  <revision>:<nonce>, the mark of a committed event
    {s07}:l:<record>                     LIST    the log of a room, oldest first, capped
    {s07}:t                              ZSET    record -> when to wake, ms
    {s07}:q                              ZSET    destination -> not before, ms: lease and wait
    {s07}:o:<destination>                LIST    letters, first in first out: {"id": …, "letter": …}
    {s07}:m:<destination>                HASH    tried <id>|<ms>, ref:<room>:<status> <ref>
    n:<name>                             STRING  what a name leads to
    {c}:k:<limit>                        HASH    24th of its window -> what was taken of it
    {c}:t:<token>                        STRING  the mark that a token has taken
    {c}:w:<line>                         STRING  when the line is through, ms
    {c}:b:<line>:<token>                 STRING  when its turn is, ms
    cfg:shards                           STRING  how many shards there are, for ever
"""

from zlib import crc32

SHARDS = "cfg:shards"


def shard_of(record: str, shards: int) -> int:
    """The shard of a record, the same for ever: that is why `shards` must never change."""
    return crc32(record.encode()) % shards


def _in_shard(shard: int, name: str) -> str:
    return f"{{s{shard:02}}}:{name}"


def record(shard: int, key: str) -> str:
    """A room (`r:<id>`) or a person (`p:<id>`)."""
    return _in_shard(shard, key)


def mark(shard: int, key: str, event: str) -> str:
    """The mark that `event` was committed to the record."""
    return _in_shard(shard, f"u:{key}:{event}")


def log(shard: int, key: str) -> str:
    """The log of the record."""
    return _in_shard(shard, f"l:{key}")


def timers(shard: int) -> str:
    """When to wake the shard's records."""
    return _in_shard(shard, "t")


def queue(shard: int) -> str:
    """When the shard's destinations may next be sent to."""
    return _in_shard(shard, "q")


def letters(shard: int, destination: str) -> str:
    """The letters of the shard that wait for a destination."""
    return _in_shard(shard, f"o:{destination}")


def known(shard: int, destination: str) -> str:
    """What is known of a destination: the letter last tried, the messages that can be edited."""
    return _in_shard(shard, f"m:{destination}")


def name(called: str) -> str:
    """A name of the directory, in a slot of its own."""
    return f"n:{called}"


def taken(limit: str) -> str:
    """What was taken of a limit. All counters are in one slot: several are taken of at once."""
    return f"{{c}}:k:{limit}"


def token(called: str) -> str:
    """The mark that a token has taken."""
    return f"{{c}}:t:{called}"


def line(called: str) -> str:
    """When a line is through."""
    return f"{{c}}:w:{called}"


def turn(line_called: str, called: str) -> str:
    """When the turn of a token is."""
    return f"{{c}}:b:{line_called}:{called}"
