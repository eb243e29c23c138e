"""Commit of returns: the statement that saves them, and its outcomes.

The writer's thread (`commit_thread.py`) runs the statement and commits it together with other queued writes;
`master/returns/return_intake.py` waits for the commit before it acknowledges the returns.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from salt_g.cache import bulk_sql
from salt_g.cache.job_writes import LANE
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.errors import WireError
from salt_g.wire.packing import unpack

#: Fields with the content of a return; two returns that agree in all of them are the same return, sent twice.
RESULT = ("return", "retcode", "success", "out")

_Return = tuple[str, str, bytes]
#: Columns of a return, and their types on a database server.
_COLUMNS = {"jid": "text", "id": "text", "data": "bytea"}


class Saved(enum.Enum):
    """Outcome of saving a return."""

    FIRST = "first"
    #: The same return was already stored, because its sender did not receive the master's answer.
    REPEATED = "repeated"
    #: A different return was already stored and is kept.
    DIFFERENT = "different"


def _save_returns(connection: DatabaseConnection, returns: Sequence[_Return]) -> Sequence[Saved]:
    new = bulk_sql.insert_absent(connection, "returns", _COLUMNS, returns, key_columns=2)
    others = [row[:2] for row in returns if row[:2] not in new]
    known = dict(bulk_sql.found(connection, "returns", ("jid", "id"), others, "data")) if others else {}
    results = []
    for jid, id, data in returns:
        place = (jid, id)
        if place in new:
            new.remove(place)
            known[place] = data
            results.append(Saved.FIRST)
        else:
            # A missing row means that another master has just removed the job; the sender need not send the
            # return again.
            is_same = _is_same_return(known.get(place, data), data)
            results.append(Saved.REPEATED if is_same else Saved.DIFFERENT)
    return results


def _is_same_return(one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    try:
        first, second = unpack(one), unpack(other)
    except WireError:
        return False
    return all(first.get(field) == second.get(field) for field in RESULT)


#: Operation on (jid, id, packed return); its results are `Saved`.
RETURN = Operation("save a return", LANE, _save_returns, in_one_statement=bulk_sql.MOST_ROWS)
