"""Canonical texts of calls that run states of the tree.

Shapes: a text is JSON of {fun, mods?, id?, topfn?, saltenv?, pillarenv?, exclude?, whitelist?, pillar?};
`fun` is `state.apply` for all functions that run SLS or the highstate. `pillar` is only True if pillar was
given to the call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

#: Functions shown as `state.apply`, and all functions whose runs have a read-set.
_APPLY = frozenset(("state.apply", "state.sls", "state.highstate", "state.test"))
FUNCTIONS = frozenset((*_APPLY, "state.sls_id", "state.top"))
#: Keywords that decide which states a call runs.
_DECIDING = ("saltenv", "pillarenv", "exclude", "whitelist")
#: Maximum length of a text (characters).
MAX_TEXT = 2000


def text_of(fun: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Return the canonical text of a call, or '' if the call runs no states of the tree, or cached ones.

    Also return '' for a text that is longer than `MAX_TEXT`.
    """
    if not is_recorded(fun) or kwargs.get("cache"):
        return ""
    call: dict[str, Any] = {"fun": "state.apply" if fun in _APPLY else fun}
    if fun == "state.top":
        call["topfn"] = str(args[0] if args else kwargs.get("topfn", ""))
    elif fun == "state.sls_id":
        call["id"] = str(args[0] if args else kwargs.get("id_", ""))
        args = args[1:]
    if fun != "state.top":
        mods = _names(args[0] if args and fun != "state.highstate" else kwargs.get("mods"))
        if mods:
            call["mods"] = mods
    call.update((name, kwargs[name]) for name in _DECIDING if kwargs.get(name))
    if kwargs.get("pillar"):
        call["pillar"] = True
    text = json.dumps(call, sort_keys=True, default=str)
    return text if len(text) <= MAX_TEXT else ""


def is_recorded(fun: Any) -> bool:
    """Return whether a read-set is recorded for runs of a function."""
    return isinstance(fun, str) and fun in FUNCTIONS


def shown(text: str) -> str:
    """Format a call for display: `highstate`, `web saltenv=dev`."""
    call = _call(text)
    words = [",".join(call.get("mods") or ()) or "highstate"]
    if call.get("fun") == "state.sls_id":
        words = [f"{call.get('id')} of {words[0]}"]
    elif call.get("fun") == "state.top":
        words = [f"top {call.get('topfn')}"]
    words += [f"{name}={call[name]}" for name in _DECIDING if name in call]
    return " ".join(words + (["pillar=..."] if call.get("pillar") else []))


def test_job(text: str, saltenv: str = "") -> tuple[str, list[Any], dict[str, Any]] | None:
    """Return (function, arguments, keywords) of a call in test mode, in another environment if given.

    Return None for a call with pillar, which cannot be repeated because the pillar is not stored.
    """
    call = _call(text)
    if not call or call.get("pillar"):
        return None
    kwargs = {name: call[name] for name in _DECIDING if name in call}
    if saltenv:
        kwargs["saltenv"] = saltenv
    mods = [",".join(call["mods"])] if call.get("mods") else []
    if call.get("fun") == "state.apply":
        return "state.test", mods, kwargs
    first = call.get("id") if call.get("fun") == "state.sls_id" else call.get("topfn")
    return str(call["fun"]), [first, *mods], {**kwargs, "test": True}


def _call(text: str) -> dict[str, Any]:
    call = json.loads(text) if text else {}
    return call if isinstance(call, dict) else {}


def _names(mods: Any) -> list[str]:
    if not mods or isinstance(mods, Mapping):
        return []
    return [str(name) for name in mods] if isinstance(mods, (list, tuple)) else str(mods).split(",")
