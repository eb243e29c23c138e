"""Bring a named thing to be, or not to be: users, databases, schemas, queues, keys.

Why its own file: the states of databases and brokers differ in what they ask and do, and in their
texts; that a thing is as wanted, would change, has changed or could not be changed is one shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.api import opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


class Texts(NamedTuple):
    """What the comment says in each of the four cases."""

    already: str
    would: str
    done: str
    failed: str


def reach(
    name: str,
    texts: Texts,
    *,
    is_reached: bool,
    act: Callable[[], Any],
    changes: dict[str, Any],
    problem: Callable[[], str] = str,
    shown_in_test: dict[str, Any] | None = None,
) -> StateReturn:
    """Return the result of a state that is reached already, or by `act`, which says whether it worked.

    `problem` tells after a failure what the server said, with the sign that parts it from the
    text before. `changes` are those of success; test mode shows `shown_in_test`.
    """
    if is_reached:
        return as_wanted(name, texts.already)
    if opts["test"]:
        return would_change(name, texts.would, shown_in_test)
    if act():
        return changed(name, texts.done, changes)
    return failed(name, texts.failed + problem())
