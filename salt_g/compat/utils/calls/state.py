"""Stock's `salt.utils.state`: tags and results of state calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.shapes import LowChunk, low_tag


def gen_tag(low: LowChunk) -> str:
    """Return the key of a chunk in the running dict: `state_|-id_|-name_|-fun`."""
    return low_tag(low)


def check_result(running: Any, **stock: Any) -> bool:
    """Return whether all states of a run succeeded; False for other data."""
    if not isinstance(running, dict) or not running:
        return False
    return all(isinstance(item, dict) and item.get("result", True) is not False for item in running.values())


def get_sls_opts(opts: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Return a copy of the settings with `saltenv` and `pillarenv` of a call."""
    wanted = {name: kwargs[name] for name in ("saltenv", "pillarenv") if kwargs.get(name) is not None}
    return {**opts, **wanted}
