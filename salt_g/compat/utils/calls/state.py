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
    return all(map(_is_success, running.values()))


def merge_subreturn(
    original_return: dict[str, Any], sub_return: Mapping[str, Any], subkey: str | None = None
) -> dict[str, Any]:
    """Add the return of a second state to that of a first one, which is changed, and return it.

    A failure of either is a failure; the changes of the second are below `subkey` (`secondary`).
    """
    if sub_return["result"] is False:
        original_return["result"] = False
    comment = sub_return["comment"]
    if isinstance(original_return["comment"], list):
        original_return["comment"].extend(comment if isinstance(comment, list) else [comment])
    else:
        lines = [original_return["comment"], *(comment if isinstance(comment, list) else [comment])]
        original_return["comment"] = "\n".join(line for line in lines if line)
    if sub_return["changes"]:
        original_return.setdefault("changes", {})[subkey or "secondary"] = sub_return["changes"]
    return original_return


def _is_success(item: Any) -> bool:
    """Return whether a result, or each of those in a mapping of hosts or runs, is no failure."""
    if not isinstance(item, Mapping):
        return False
    if "result" in item:
        return item["result"] is not False
    below = [value for value in item.values() if isinstance(value, Mapping)]
    return bool(item) and all(map(_is_success, below))


def get_sls_opts(opts: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Return a copy of the settings with `saltenv` and `pillarenv` of a call."""
    wanted = {name: kwargs[name] for name in ("saltenv", "pillarenv") if kwargs.get(name) is not None}
    return {**opts, **wanted}
