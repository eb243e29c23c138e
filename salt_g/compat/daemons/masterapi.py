"""Stock's `salt.daemons.masterapi`: functions inside the master."""

from salt_g.compat.refusal import refuse

_ADVICE = "call a runner, or a function of a minion (`salt.cmd`, `salt.execute`)"
RemoteFuncs = refuse("salt.daemons.masterapi.RemoteFuncs", _ADVICE)
LocalFuncs = refuse("salt.daemons.masterapi.LocalFuncs", _ADVICE)

__all__ = ["LocalFuncs", "RemoteFuncs"]
