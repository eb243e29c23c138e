"""Stock's `salt.cli.daemons`: the daemons."""

from salt_g.compat.refusal import refuse

_ADVICE = "start them with `salt-g master`, `salt-g minion`"
DaemonsMixin = refuse("salt.cli.daemons.DaemonsMixin", _ADVICE)
Master = refuse("salt.cli.daemons.Master", _ADVICE)
Minion = refuse("salt.cli.daemons.Minion", _ADVICE)
ProxyMinion = refuse("salt.cli.daemons.ProxyMinion", _ADVICE)
Syndic = refuse("salt.cli.daemons.Syndic", _ADVICE)

__all__ = ["DaemonsMixin", "Master", "Minion", "ProxyMinion", "Syndic"]
