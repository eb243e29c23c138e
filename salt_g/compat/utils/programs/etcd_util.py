"""Stock's `salt.utils.etcd_util`: values in etcd, for which salt-g has no client."""

from salt_g.compat.refusal import refuse

HAS_ETCD_V2 = HAS_ETCD_V3 = False
_ADVICE = "call etcd by `http.query`, or with a client library in a module of your own"
get_conn = refuse("salt.utils.etcd_util.get_conn", _ADVICE)
tree = refuse("salt.utils.etcd_util.tree", _ADVICE)

__all__ = ["HAS_ETCD_V2", "HAS_ETCD_V3", "get_conn", "tree"]
