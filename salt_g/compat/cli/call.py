"""Stock's `salt.cli.call`: the program `salt-call`."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.cli.caller.Caller`, `salt.client.Caller`, or run `salt-g call`"
SaltCall = refuse("salt.cli.call.SaltCall", _ADVICE)

__all__ = ["SaltCall"]
