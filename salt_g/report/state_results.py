"""Did what a state run returned go well?

Why its own file: the orchestration states, runners and the command line judge the same data.
Source: stock's `check_result`, tried.
"""

from __future__ import annotations

from typing import Any


def succeeded(running: Any, *, nested: bool = False) -> bool:
    """Return whether a running dict, or several by minion, holds something and nothing in it failed.

    What is neither a mapping nor `__extend__` is a failure (a list of compile errors), except
    below the top, or with `nested`, where it is left out.
    """
    if not isinstance(running, dict) or not running:
        return False
    return all(_entry_went_well(key, entry, nested=nested) for key, entry in running.items())


def _entry_went_well(key: Any, entry: Any, *, nested: bool) -> bool:
    if not isinstance(entry, dict):
        return nested or (key == "__extend__" and isinstance(entry, list))
    if "result" in entry:
        return entry["result"] is not False
    return succeeded(entry, nested=True)
