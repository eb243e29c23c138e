"""Stock's `salt.cli.salt`: the program `salt`."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.client.LocalClient`, or run `salt-g cmd`"
SaltCMD = refuse("salt.cli.salt.SaltCMD", _ADVICE)

__all__ = ["SaltCMD"]
