"""Stock's `salt.utils.proxy`: proxy minions, which salt-g has none of."""

from collections.abc import Mapping
from typing import Any


def is_proxytype(opts: Mapping[str, Any], proxytype: str) -> bool:
    """Return False: devices are resources here."""
    return False


__all__ = ["is_proxytype"]
