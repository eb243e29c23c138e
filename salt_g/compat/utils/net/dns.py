"""Stock's `salt.utils.dns`: look-ups of names."""

from typing import Any

from salt_g import api


def lookup(name: str, rdtype: str = "A", **stock: Any) -> Any:
    """Return the records of a name as `dnsutil` does; for A and AAAA, False if there are none."""
    if rdtype not in ("A", "AAAA"):
        return api.call(f"dnsutil.{rdtype}", name)
    return api.call(f"dnsutil.{rdtype}", name) or False


__all__ = ["lookup"]
