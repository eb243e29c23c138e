"""Verdict on the results of a state run.

Orchestration states, runners and the command line share it.
Source: stock's `check_result`, tested.
"""

from __future__ import annotations

from typing import Any


def succeeded(running: Any, *, nested: bool = False) -> bool:
    """Return whether a running dict, or several by minion, is not empty and has no failed state.

    A value other than a mapping or `__extend__` is a failure (a list of compile errors), except below the
    top level, or with `nested`, where it is ignored.
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
