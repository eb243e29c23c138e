"""Stock's `salt.utils.minion`: the jobs of this minion."""

from collections.abc import Mapping
from typing import Any

from salt_g import api


def running(opts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the running jobs, {jid, fun, arg, tgt, pid, ...}."""
    found: list[dict[str, Any]] = api.call("saltutil.running")
    return found


__all__ = ["running"]
