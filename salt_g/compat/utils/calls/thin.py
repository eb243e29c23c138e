"""Stock's `salt.utils.thin`: Salt as a tarball for hosts on which it is not installed."""

from salt_g.compat.refusal import refuse

_ADVICE = "use a resource of the type ssh or container_ns, which needs no Python on the other side"
gen_thin = refuse("salt.utils.thin.gen_thin", _ADVICE)
gen_min = refuse("salt.utils.thin.gen_min", _ADVICE)

__all__ = ["gen_min", "gen_thin"]
