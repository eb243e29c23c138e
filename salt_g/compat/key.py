"""Stock's `salt.key`: keys of minions, which salt-g's own programs manage."""

from salt_g.compat.refusal import refuse

_ADVICE = "call the wheel functions `key.*` (`salt-g run salt.wheel key.accept MINION`)"
Key = refuse("salt.key.Key", _ADVICE)
get_key = refuse("salt.key.get_key", _ADVICE)

__all__ = ["Key", "get_key"]
