"""Stock's `salt.states.git`: the states of `git`, and helpers for the results of similar states."""

import importlib
from collections.abc import Sequence
from typing import Any

_git = importlib.import_module("salt_g.states.git")
globals().update({name: getattr(_git, name) for name in _git.__all__})


def _fail(ret: dict[str, Any], msg: str, comments: Sequence[str] | None = None) -> dict[str, Any]:
    """Turn `ret` into a failed result; `comments` lists the changes made before."""
    done = f"\n\nChanges already made: {'. '.join(comments)}." if comments else ""
    ret.update(result=False, comment=f"{msg}{done}")
    return ret


def _neutral_test(ret: dict[str, Any], comment: str) -> dict[str, Any]:
    """Turn `ret` into the result of a test run that would change something."""
    ret.update(result=None, comment=comment)
    return ret


__all__ = list(_git.__all__)
