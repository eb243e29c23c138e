"""Shortening of returns that are too large for one message, keeping the values that fit.

Units: bytes. Errors: WireError for a return that no master accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import WireError
from salt_g.event.size_limit import TRIMMED, trimmed
from salt_g.shapes.loads import ReturnLoad
from salt_g.wire.packing import AFTER_SIGN_IN, FROM_MINION, pack_large, pack_network, unpack
from salt_g.wire.value_size import is_light

#: Space for the envelope and signature of a return in a message (bytes).
_AROUND = 64 * 1024
#: Maximum size of a packed return (bytes).
MAX_RETURN = AFTER_SIGN_IN.size - _AROUND
_LIMITS = FROM_MINION._replace(size=MAX_RETURN)
_ANY_NUMBER = 1 << 62


def check_sendable(load: ReturnLoad) -> None:
    """Raise WireError for a return that no master accepts, because it would be resent forever."""
    # Packing takes a multiple of the return's memory, so returns whose texts alone are too large are refused
    # first.
    if not is_light(load, entries=_ANY_NUMBER, size=MAX_RETURN):
        raise WireError(f"its texts exceed {MAX_RETURN} bytes, the limit of a message")
    unpack(pack_network(dict(load)), _LIMITS)


def shortened(load: ReturnLoad, exc: WireError) -> ReturnLoad:
    """Return the failure that replaces a return that is too large.

    In a dict (a state run) the largest values are replaced, as in stock's events; other values are left out.
    """
    failed: ReturnLoad = {**load, "retcode": load.get("retcode") or 1, "success": False}
    value = load.get("return")
    if isinstance(value, Mapping) and value:
        rest = {key: item for key, item in load.items() if key != "return"}
        short = trimmed(value, MAX_RETURN - _AROUND - len(pack_large(rest)))
        places = [f"the return is too large for a message: its largest values were replaced with {TRIMMED}"]
        kept: ReturnLoad = {**failed, "return": short, "places": [*load.get("places", ()), *places]}
        if _is_sendable(kept):
            return kept
    text = f"ERROR: the return of the function cannot be sent: {exc}; left out: {_described(value)}"
    return {**failed, "return": text, "out": "nested"}


def _is_sendable(load: ReturnLoad) -> bool:
    try:
        check_sendable(load)
    except WireError:
        return False
    return True


def _described(value: Any) -> str:
    if isinstance(value, str | bytes):
        return f"a text of {len(value)} {'characters' if isinstance(value, str) else 'bytes'}"
    if isinstance(value, Mapping | list | tuple):
        return f"a {'map' if isinstance(value, Mapping) else 'list'} with {len(value)} entries"
    return f"a value of type {type(value).__name__}"
