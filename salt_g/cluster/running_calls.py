"""Record of the calls that run on the masters of a cluster: runner and wheel functions, batches.

A call is recorded before it begins, under its master and that master's epoch, and removed when it ends. The
calls of a master that has ended are taken over by another master, which resumes them or ends them with a
verdict; a call can get two verdicts, but never none. A call that can be resumed stores its progress here.
Shapes: a row of the table `shared` has the name `call/<master>/<epoch>/<jid>`; its body describes the call
and has the sealed data to resume it. A row `step/<jid>/<key>` has a sealed step of the progress.
Errors: StoreError; WireError for a value that cannot be packed.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.cluster.membership import Membership
from salt_g.cluster.tables import LANE
from salt_g.data.run_record import RunRecord
from salt_g.errors import WireError
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)

_PREFIX, _STEP, _SEALED = "call", "step", "resume"
_CALLS = f"SELECT name FROM shared WHERE name LIKE '{_PREFIX}/%' ORDER BY name"
_BODY = "SELECT body FROM shared WHERE name = ?"
_CALL = "SELECT 1 FROM shared WHERE name = ?"
_STEPS = "SELECT name, body FROM shared WHERE name > ? AND name < ?"
_PUBLISHED = "SELECT serial, job, ids FROM publications WHERE serial < ? ORDER BY serial DESC LIMIT 100"
#: Number above any serial.
_NEWEST = 2**62


class LeftCall(NamedTuple):
    """Call abandoned by a master that has ended; `about` is its recorded description."""

    name: str
    master: str
    about: Mapping[str, Any]

    @property
    def jid(self) -> str:
        """The job id of the call."""
        return str(self.about["jid"])


class _Step(NamedTuple):
    """Step to store if the call `name` still belongs to this master; with the key '', only check that."""

    name: str
    key: str
    body: bytes


class RunningCalls:
    """Interface to the recorded calls of all masters."""

    def __init__(self, store: Store, membership: Membership) -> None:
        self._store = store
        self._membership = membership

    def begin(self, jid: str, about: Mapping[str, Any], resume: Any = None) -> None:
        """Record a call that begins on this master, with the data by which others can end or resume it."""
        noted = about if resume is None else {**about, _SEALED: self._sealed(jid, resume)}
        self._store.write(_BEGIN, (self._name(jid), pack_bus(noted))).result()

    def end(self, jid: str) -> None:
        """Remove the record of a call that has ended on this master; queued behind all earlier writes."""
        self._store.write(_END, self._name(jid))

    def is_noted(self, jid: str) -> bool:
        """Return whether any master has recorded a call with this jid."""
        return any(name.rpartition("/")[2] == jid for (name,) in self._store.read(_CALLS))

    def left(self) -> list[LeftCall]:
        """Return the calls abandoned by masters that have ended or restarted."""
        me, names = self._membership, [name for (name,) in self._store.read(_CALLS)]
        # Refreshed after the names were read, so that the masters of all these calls are known, even new
        # ones.
        me.refresh()
        starts = {id: member.epoch for id, member in me.others.items() if id in me.live()}
        starts[me.id] = me.member.epoch
        found = []
        for name in names:
            master, epoch = name.split("/")[1:3]
            if starts.get(master) != int(epoch):
                found += [LeftCall(name, master, unpack(bytes(body))) for (body,) in self._read(name)]
        return found

    def _read(self, name: str) -> list[Any]:
        return self._store.read(_BODY, (name,))

    def drop(self, call: LeftCall) -> None:
        """Remove the record of an abandoned call after its verdict."""
        self._store.write(_END, call.name).result()

    def take(self, call: LeftCall) -> LeftCall | None:
        """Take over an abandoned call; return it under its new name, None if another master was faster."""
        name = self._name(call.jid)
        is_taken = self._store.write(_TAKE, (call.name, name)).result()
        return call._replace(name=name) if is_taken else None

    def to_resume(self, call: LeftCall) -> Any:
        """Return the recorded data to resume a call, None if it cannot be resumed."""
        sealed = call.about.get(_SEALED)
        try:
            return None if sealed is None else self._opened(call.jid, sealed)
        except WireError as exc:
            log.error("%s is not resumed, because no master of this cluster recorded it: %s", call.jid, exc)
            return None

    def record(self, jid: str, *, is_resumed: bool = False) -> RunRecord:
        """Return the progress record of a call of this master, with the earlier steps if it is resumed."""
        return RunRecord(partial(self._keep, jid), self._steps(jid) if is_resumed else None)

    def recipients(self, jid: str, ids: Collection[str]) -> set[str]:
        """Return the minions of `ids` to which a job of the last minutes was published, by any master."""
        found: set[str] = set()
        last = _NEWEST
        while rows := self._store.read(_PUBLISHED, (last,)):
            for last, job, names in rows:  # noqa: B007
                if self._jid_of(bytes(job)) == jid:
                    found.update(unpack(bytes(names)))
        return found.intersection(ids)

    def _jid_of(self, sealed: bytes) -> str:
        try:
            return str(unpack(self._membership.sealing.open_job(sealed))["jid"])
        except (WireError, LookupError, TypeError):
            return ""

    def _keep(self, jid: str, key: str, value: Any) -> bool:
        name = f"{_STEP}/{jid}/{key}" if key else ""
        body = self._sealed(name, value) if key else b""
        return bool(self._store.write(_KEEP, _Step(self._name(jid), name, body), len(body)).result())

    def _steps(self, jid: str) -> dict[str, Any]:
        start, found = f"{_STEP}/{jid}/", {}
        for name, body in self._store.read(_STEPS, (start, _behind(start))):
            try:
                found[name[len(start) :]] = self._opened(name, bytes(body))
            except WireError as exc:
                log.error("%s: ignored a step that no master of this cluster recorded: %s", jid, exc)
        return found

    def _sealed(self, place: str, value: Any) -> bytes:
        return self._membership.sealing.seal_job(pack_bus([place, value]))

    def _opened(self, place: str, sealed: bytes) -> Any:
        """Open a sealed value; raise WireError if it was sealed for another place."""
        opened = unpack(self._membership.sealing.open_job(sealed))
        if not isinstance(opened, list) or len(opened) != 2 or opened[0] != place:
            raise WireError("the value was sealed for another place")
        return opened[1]

    def _name(self, jid: str) -> str:
        return f"{_PREFIX}/{self._membership.id}/{self._membership.member.epoch}/{jid}"


def _begin(connection: DatabaseConnection, calls: Sequence[tuple[str, bytes]]) -> Sequence[None]:
    connection.executemany("INSERT INTO shared VALUES (?, 1, ?) ON CONFLICT DO NOTHING", calls)
    return [None] * len(calls)


def _end(connection: DatabaseConnection, names: Sequence[str]) -> Sequence[None]:
    """Remove calls, and the steps of each call that no other master has taken over."""
    for name in names:
        start = f"{_STEP}/{name.rpartition('/')[2]}/"
        if connection.execute("DELETE FROM shared WHERE name = ?", (name,)).rowcount:
            connection.execute("DELETE FROM shared WHERE name > ? AND name < ?", (start, _behind(start)))
    return [None] * len(names)


def _behind(start: str) -> str:
    """Return the exclusive upper bound of all names with the prefix `start`, which ends in a slash."""
    return start[:-1] + chr(ord("/") + 1)


def _take(connection: DatabaseConnection, moves: Sequence[tuple[str, str]]) -> Sequence[bool]:
    sql = "UPDATE shared SET name = ? WHERE name = ?"
    return [connection.execute(sql, (new, old)).rowcount == 1 for old, new in moves]


def _keep(connection: DatabaseConnection, steps: Sequence[_Step]) -> Sequence[bool]:
    return [_keep_one(connection, step) for step in steps]


def _keep_one(connection: DatabaseConnection, step: _Step) -> bool:
    """Store a step unless another master has taken over the call; lock the call until the commit."""
    if connection.execute(f"{_CALL} FOR SHARE", (step.name,)).fetchone() is None:
        return False
    if step.key:
        connection.execute(
            "INSERT INTO shared VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body",
            (step.key, step.body),
        )
    return True


_BEGIN = Operation("note a call", LANE, _begin)
_END = Operation("forget a call", LANE, _end)
_TAKE = Operation("take a call", LANE, _take)
_KEEP = Operation("keep a step", LANE, _keep)
