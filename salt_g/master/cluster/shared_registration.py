"""Registration of resources in a cluster: the leader decides for all masters, and the others follow.

Each master knows all resources, for its targets and for the returns of its minions. A minion's question
goes to the leader through the log, and the answer comes back with the rows that changed. A new leader reads
the stored decisions and restarts every lease, as a master without a cluster does after a start, so no minion
gets a resource before the lease of its last holder is over.
Shapes: a question is [act, id, load]; `act` is replace, prolong or forget. The announcement of a decision is
{epoch, act, id, answer or error, takes_leases, refused, trouble, rows, gone,
grains}.
Units: seconds.
Errors: Postponed when no leader decides in time, so the minion asks again.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import gevent.event
import gevent.lock
import gevent.queue

from salt_g.cache.resources import ResourceRow
from salt_g.cluster.log import Log
from salt_g.cluster.membership import Membership
from salt_g.cluster.shared_resources import DECISION, QUESTION, Decision, ResourceChanges, SharedResourceTable
from salt_g.errors import StoreError, WireError
from salt_g.keys.files import KeyFiles
from salt_g.master.commands import WireCommand
from salt_g.master.resources.facade import Resources
from salt_g.process.supervisor import deadline_in, seconds_until
from salt_g.shapes.loads import ResourcesLoad
from salt_g.transport.protocols import Postponed
from salt_g.wire.packing import pack_bus, unpack
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Longest wait of a minion for an answer, and the time after which the leader is asked again.
PATIENCE, AGAIN = 25.0, 2.0
#: Maximum number of queued questions from other masters.
MOST_WAITING = 1000
_ACTS = {"_register_resources": "replace", "_renew_resources": "prolong"}


class _Question(NamedTuple):
    """Question of a minion; `name` identifies the master's wait for the answer, '' if there is none."""

    name: str
    act: str
    id: str
    load: ResourcesLoad

    def packed(self) -> bytes:
        """Return the question packed as the body of its row in the log."""
        return pack_bus([self.act, self.id, self.load])


class SharedRegistration:
    """Registration at one master of a cluster. Lifecycle: `run` in a greenlet answers other masters."""

    def __init__(
        self,
        resources: Resources,
        table: SharedResourceTable,
        membership: Membership,
        shared: Log,
        keys: KeyFiles,
    ) -> None:
        self._resources = resources
        self._registration = resources.registration
        self._table = table
        self._membership = membership
        self._log = shared
        self._keys = keys
        self._turn: Any = gevent.lock.Semaphore(1)
        self._numbers = itertools.count(1)
        self._asking: dict[str, Any] = {}
        self._questions: Any = gevent.queue.Queue()
        #: Leadership epoch in which the registry was read: this master's own, or that of the decisions
        #: followed.
        self._epoch = 0
        #: Epoch in which this master last committed a decision, 0 if it has to read the store first.
        self._decides_as = 0

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands of registration and renewal."""
        alone = self._registration.commands()
        return {name: WireCommand(partial(self._serve, _ACTS[name]), alone[name].fields) for name in alone}

    def handlers(self) -> dict[str, Callable[[str, bytes], None]]:
        """Return the handlers of the log's rows, by kind."""
        return {QUESTION: self._note_question, DECISION: self._follow}

    def forget(self, id: str) -> None:
        """Drop the resources of a minion whose key was removed; without a leader, the next leader does so."""
        question = _Question("", "forget", id, {})
        if self._membership.is_leader():
            self._questions.put(question)
        else:
            self._log.announce(QUESTION, "", question.packed())
            self._log.ring()

    def run(self) -> None:
        """Decide about the questions of other masters, until the greenlet ends."""
        while True:
            question = self._questions.get()
            try:
                if self._membership.is_leader():
                    self._decide(question)
            except (StoreError, TimeoutError, WireError, Postponed) as exc:
                log.debug(
                    "%s of %s is not decided yet; the minion will ask again: %s",
                    question.act,
                    question.id,
                    exc,
                )

    # Any master

    def _serve(self, act: str, request: SealedRequest, load: ResourcesLoad) -> Any:
        """Answer a minion of this master with the leader's decision; raises Postponed, WireError."""
        if act == "replace" and self._has_none(request.id, load):
            # Most minions have no resources, so there is nothing to decide or to announce to other masters.
            return self._registration.replace(request.id, load)
        until = deadline_in(PATIENCE)
        name = f"{self._membership.id}/{self._membership.member.epoch}/{next(self._numbers)}"
        question = _Question(name, act, request.id, load)
        waiting = self._asking[name] = gevent.event.AsyncResult()
        try:
            while left := seconds_until(until):
                decision = self._await_decision(question, waiting, min(AGAIN, left))
                if decision is not None:
                    if "error" in decision:
                        raise WireError(decision["error"])
                    return decision["answer"]
        except (StoreError, TimeoutError) as exc:
            raise Postponed(str(exc)) from exc
        finally:
            del self._asking[name]
        raise Postponed("no master of the cluster decides about resources")

    def _has_none(self, id: str, load: ResourcesLoad) -> bool:
        """Return whether a minion registers no resources and had none before."""
        registry, registration = self._resources.registry, self._registration
        known = registry.held(id) or registry.waiting(id) or id in registration.refused
        return not known and not any(load["resources"].values())

    def _await_decision(self, question: _Question, waiting: Any, patience: float) -> Mapping[str, Any] | None:
        """Return the decision, None if it is not made in time."""
        if self._membership.is_leader():
            decided = self._decide(question)
            if decided is None:
                waiting.wait(patience)
            return decided
        self._log.announce(QUESTION, question.name, question.packed())
        self._log.ring()
        waiting.wait(patience)
        decision: Mapping[str, Any] | None = waiting.value
        return decision

    def _note_question(self, name: str, body: bytes) -> None:
        """Queue a question of another master, if this master is the leader."""
        if self._membership.is_leader() and self._questions.qsize() < MOST_WAITING:
            act, id, load = unpack(body)
            self._questions.put(_Question(name, act, id, load))

    def _follow(self, name: str, body: bytes) -> None:
        """Apply a decision of another master; one of an earlier leader is already in the store."""
        decision = unpack(body)
        epoch = int(decision["epoch"])
        if epoch > self._epoch:
            self._read_again(epoch)
        if epoch == self._epoch and self._decides_as != epoch:
            self._take(decision)
        waiting = self._asking.get(name)
        if waiting is not None:
            waiting.set(decision)

    def _take(self, decision: Mapping[str, Any]) -> None:
        persistence, registry = self._resources.persistence, self._resources.registry
        for srn, minion, standby, takes_leases in decision["rows"]:
            row = ResourceRow(srn, minion, tuple(standby), bool(takes_leases), 0.0)
            before = persistence.follow(row)
            if before is not None:
                self._registration.ownership.note_moved(srn, before)
        for srn, grains in decision["grains"].items():
            persistence.follow_grains(srn, grains)
        for srn in decision["gone"]:
            record = registry.find(srn)
            if record is not None:
                registry.drop(record)
        self._note_minion(decision)

    def _note_minion(self, decision: Mapping[str, Any]) -> None:
        """Update what is shown about the minion of a decision: refusals, errors, lease."""
        id, registration = decision["id"], self._registration
        registration.refused.pop(id, None)
        registration.trouble.pop(id, None)
        if decision["act"] == "forget":
            registration.times.pop(id, None)
            self._resources.leases.end(id)
            return
        self._resources.persistence.follow_lease(id, takes_leases=decision["takes_leases"])
        registration.times[id] += decision["act"] == "replace"
        if decision["refused"]:
            registration.refused[id] = decision["refused"]
        if decision["trouble"]:
            registration.trouble[id] = decision["trouble"]

    # The leader

    def _decide(self, question: _Question) -> Mapping[str, Any] | None:
        """Decide and commit the decision; return the announcement, None if this master no longer leads."""
        with self._turn:
            epoch = self._membership.led_epoch
            if self._decides_as != epoch:
                self._begin(epoch)
            decision = self._decided(question)
            changes = self._table.collected()
            decision.update(_shape(changes), epoch=epoch)
            if not self._commit(
                Decision(self._membership.id, epoch, question.name, pack_bus(decision), changes)
            ):
                return None
        self._log.ring()
        return decision

    def _decided(self, question: _Question) -> dict[str, Any]:
        registration, (_, act, id, load) = self._registration, question
        decision: dict[str, Any] = {"act": act, "id": id}
        try:
            if act == "forget":
                registration.forget(id)
                decision["answer"] = None
            else:
                decide = registration.replace if act == "replace" else registration.prolong
                decision["answer"] = decide(id, load)
        except WireError as exc:
            decision["error"] = str(exc)
        decision["takes_leases"] = self._resources.leases.takes_leases(id)
        decision["refused"] = registration.refused.get(id) or {}
        decision["trouble"] = dict(registration.trouble.get(id) or {})
        return decision

    def _commit(self, decision: Decision) -> bool:
        """Commit a decision; after any failure, this master reads the store again before the next one."""
        self._decides_as = 0
        if not self._table.decide(decision):
            return False
        self._decides_as = decision.epoch
        return True

    def _begin(self, epoch: int) -> None:
        """Start deciding, with the stored resources, new leases and only minions with an accepted key."""
        self._table.collected()
        self._read_again(epoch)
        accepted = self._keys.accepted()
        for id in self._resources.registry.minions():
            if id not in accepted:
                self._registration.forget(id)
        number = len(self._resources.registry)
        log.info("this master now decides which minions manage the cluster's %d resources", number)

    def _read_again(self, epoch: int) -> None:
        self._resources.persistence.read_again()
        self._epoch = epoch


def _shape(changes: ResourceChanges) -> dict[str, Any]:
    """Return changes in the form of an announcement."""
    rows = [[row.srn, row.minion, list(row.standby), row.takes_leases] for row in changes.rows]
    grains = {srn: unpack(data) for srn, data in changes.grains.items()}
    return {"rows": rows, "gone": list(changes.gone), "grains": grains}
