"""Selection of keys from listings, in stock's terms and order.

Shapes: a listing is {state: [id, ...]}; states without selected ids are left out.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED

Listing = dict[str, list[str]]

#: Abbreviated words of `key -l`.
_BEGINNINGS = {
    "acc": ACCEPTED,
    "pre": PENDING,
    "un": PENDING,
    "rej": REJECTED,
    "den": DENIED,
}


def in_order(ids: Iterable[str]) -> list[str]:
    """Return ids in stock's order, ignoring case."""
    return sorted(ids, key=lambda id: (id.lower(), id))


def choose(listing: Mapping[str, Sequence[str]], match: str | Sequence[str]) -> Listing:
    """Return the keys whose ids match a glob, a list of globs, or several separated by commas."""
    globs = match.split(",") if isinstance(match, str) else list(match)
    chosen = {
        state: [id for id in ids if any(fnmatch.fnmatchcase(id, glob) for glob in globs)]
        for state, ids in listing.items()
    }
    return {state: ids for state, ids in chosen.items() if ids}


def choose_exact(listing: Mapping[str, Sequence[str]], names: str | Sequence[str]) -> Listing:
    """Return the keys whose ids are in a list or comma-separated text."""
    wanted = names.split(",") if isinstance(names, str) else list(names)
    chosen = {state: [name for name in wanted if name in ids] for state, ids in listing.items()}
    return {state: ids for state, ids in chosen.items() if ids}


def of_status(listing: Mapping[str, Sequence[str]], status: str) -> Listing:
    """Return the keys that a word of `key -l` selects (`acc`, `pre`, `un`, `rej`, `den`, `all`)."""
    if status.startswith("all"):
        return {state: list(ids) for state, ids in listing.items()}
    for beginning, state in _BEGINNINGS.items():
        if status.startswith(beginning):
            return {state: list(listing.get(state, ()))}
    return {}
