"""Results of states that create or remove a named object: user, database, schema, queue, key.

The states of databases and brokers differ in their queries, actions and texts; the four outcomes (as wanted,
would change, changed, failed) are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.api import opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


class Texts(NamedTuple):
    """Comments for each of the four outcomes."""

    already: str
    would: str
    done: str
    failed: str


def ensure(
    name: str,
    texts: Texts,
    *,
    is_reached: bool,
    act: Callable[[], Any],
    changes: dict[str, Any],
    problem: Callable[[], str] = str,
    shown_in_test: dict[str, Any] | None = None,
) -> StateReturn:
    """Return the result of the state, after calling `act` unless `is_reached` or in test mode.

    `act` returns whether it succeeded.
    `problem` returns the server's message after a failure, starting with the separator from the comment.
    `changes` are reported on success, `shown_in_test` in test mode.
    """
    if is_reached:
        return as_wanted(name, texts.already)
    if opts["test"]:
        return would_change(name, texts.would, shown_in_test)
    if act():
        return changed(name, texts.done, changes)
    return failed(name, texts.failed + problem())
