"""Stock's `salt.minion`: daemons, which differ here."""

from salt_g.compat.refusal import refuse

_ADVICE = "call functions with `__salt__` or `salt.client.Caller`"
MasterMinion = refuse("salt.minion.MasterMinion", _ADVICE)
SMinion = refuse("salt.minion.SMinion", _ADVICE)

__all__ = ["MasterMinion", "SMinion"]
