"""Verdict on the results of a state run.

Orchestration states, runners and the command line share it.
Source: stock's `check_result`, tested.
"""

from __future__ import annotations

from typing import Any


def succeeded(running: Any, *, nested: bool = False) -> bool:
    """Return whether a running dict, or several by minion, is not empty and has no failed state.

    At the top level, a value other than a mapping or the list `__extend__` is a failure, for example a list
    of compile errors. Below it, or with `nested`, such values are ignored.
    """
    if not isinstance(running, dict) or not running:
        return False
    return all(_entry_succeeded(key, entry, nested=nested) for key, entry in running.items())


def _entry_succeeded(key: Any, entry: Any, *, nested: bool) -> bool:
    if not isinstance(entry, dict):
        return nested or (key == "__extend__" and isinstance(entry, list))
    if "result" in entry:
        return entry["result"] is not False
    return succeeded(entry, nested=True)
