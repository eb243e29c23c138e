"""Stock's `salt.cli.key`: the program `salt-key`."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.key.Key`, or run `salt-g key`"
SaltKey = refuse("salt.cli.key.SaltKey", _ADVICE)

__all__ = ["SaltKey"]
