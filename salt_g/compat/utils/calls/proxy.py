"""Stock's `salt.utils.proxy`: proxy minions, which salt-g does not have."""

from collections.abc import Mapping
from typing import Any


def is_proxytype(opts: Mapping[str, Any], proxytype: str) -> bool:
    """Return False, because devices are resources in salt-g."""
    return False


__all__ = ["is_proxytype"]
