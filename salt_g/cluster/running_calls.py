"""Calls that run at the masters of a cluster: runner and wheel functions, batches.

Each is noted before it begins, with the start of its master, and removed at its end. What is left of a master
that ended gets a verdict by the leader, which may do so twice, and never not at all.
Shapes: a row of the table `shared` has the name `call/<master>/<epoch>/<jid>`; its body says what it was.
Errors: StoreError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache.operation import Connection, Operation
from salt_g.cache.store import Store
from salt_g.cluster.membership import Membership
from salt_g.cluster.tables import LANE
from salt_g.wire.packing import pack_bus, unpack

_PREFIX = "call"
_CALLS = f"SELECT name, body FROM shared WHERE name LIKE '{_PREFIX}/%' ORDER BY name"


class LeftCall(NamedTuple):
    """Call whose master has ended; `about` is what was noted of it."""

    name: str
    master: str
    about: Mapping[str, Any]


class RunningCalls:
    """Calls of all masters, as far as they were noted."""

    def __init__(self, store: Store, membership: Membership) -> None:
        self._store = store
        self._membership = membership

    def begin(self, jid: str, about: Mapping[str, Any]) -> None:
        """Note a call that begins at this master, in what other masters need to end it."""
        self._store.write(_BEGIN, (self._name(jid), pack_bus(about))).result()

    def end(self, jid: str) -> None:
        """Forget a call that has ended here, once that is committed with what came before."""
        self._store.write(_END, self._name(jid))

    def left(self) -> list[LeftCall]:
        """Return the calls of masters that have ended, or that have started again since."""
        me = self._membership
        starts = {id: member.epoch for id, member in me.others.items() if id in me.live()}
        starts[me.id] = me.member.epoch
        found = []
        for name, body in self._store.read(_CALLS):
            master, epoch = name.split("/")[1:3]
            if starts.get(master) != int(epoch):
                found.append(LeftCall(name, master, unpack(bytes(body))))
        return found

    def drop(self, call: LeftCall) -> None:
        """Forget a call that got its verdict."""
        self._store.write(_END, call.name).result()

    def _name(self, jid: str) -> str:
        return f"{_PREFIX}/{self._membership.id}/{self._membership.member.epoch}/{jid}"


def _begin(connection: Connection, calls: Sequence[tuple[str, bytes]]) -> Sequence[None]:
    connection.executemany("INSERT INTO shared VALUES (?, 1, ?) ON CONFLICT DO NOTHING", calls)
    return [None] * len(calls)


def _end(connection: Connection, names: Sequence[str]) -> Sequence[None]:
    connection.executemany("DELETE FROM shared WHERE name = ?", [(name,) for name in names])
    return [None] * len(names)


_BEGIN = Operation("note a call", LANE, _begin)
_END = Operation("forget a call", LANE, _end)
