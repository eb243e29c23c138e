"""`redis` through the official client library. Begin with `keys`.

Every function takes, after its own arguments, `host` (a name, or the path of a socket), `port`, `db` and
`password`; `get_master_ip` and `sentinel_get_master_ip` take no `db`. Missing ones come from the settings
`redis.host`, `redis.port`, and so on; those of a sentinel from `redis_sentinel.host`, and so on.
"""

from __future__ import annotations

from salt_g.modules.redismod.hashes import (
    hdel,
    hexists,
    hget,
    hgetall,
    hincrby,
    hincrbyfloat,
    hlen,
    hmget,
    hmset,
    hscan,
    hset,
    hsetnx,
    hvals,
)
from salt_g.modules.redismod.keys import (
    delete,
    exists,
    expire,
    expireat,
    get_key,
    key_type,
    keys,
    llen,
    lrange,
    set_key,
    smembers,
    zcard,
    zrange,
)
from salt_g.modules.redismod.server_admin import (
    bgrewriteaof,
    bgsave,
    config_get,
    config_set,
    dbsize,
    flushall,
    flushdb,
    get_master_ip,
    info,
    lastsave,
    ping,
    save,
    sentinel_get_master_ip,
    shutdown,
    slaveof,
    time,
)

__virtualname__ = "redis"

__all__ = [
    "bgrewriteaof",
    "bgsave",
    "config_get",
    "config_set",
    "dbsize",
    "delete",
    "exists",
    "expire",
    "expireat",
    "flushall",
    "flushdb",
    "get_key",
    "get_master_ip",
    "hdel",
    "hexists",
    "hget",
    "hgetall",
    "hincrby",
    "hincrbyfloat",
    "hlen",
    "hmget",
    "hmset",
    "hscan",
    "hset",
    "hsetnx",
    "hvals",
    "info",
    "key_type",
    "keys",
    "lastsave",
    "llen",
    "lrange",
    "ping",
    "save",
    "sentinel_get_master_ip",
    "set_key",
    "shutdown",
    "slaveof",
    "smembers",
    "time",
    "zcard",
    "zrange",
]


def __virtual__() -> bool | tuple[bool, str]:
    from importlib.util import find_spec  # cheaper than importing the library itself

    if find_spec("redis") is None:
        return False, (
            "The redis execution module failed to load: the redis python library is not available."
            " Install it with: pip install 'salt-g[redis]'"
        )
    return True
