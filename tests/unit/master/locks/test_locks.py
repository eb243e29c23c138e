"""Locks in the store, and the refusal of jobs."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.errors import InvocationError, TargetError
from salt_g.master.locks.lock import Lock
from salt_g.master.locks.locks import MAX_REASON, MOST, Locks

IDS = {"db*": ["db1", "db2"], "*": ["db1", "db2", "web1"]}


class Master:
    def __init__(self, store, **more):
        self.banks, self.now, self.resolved = Banks(store), 1000.0, []
        self.make = lambda: Locks(
            self.banks, exempt=["test.*"], resolve=self.resolve, now=lambda: self.now, **more
        )
        self.locks = self.make()

    def resolve(self, tgt, tgt_type, delimiter):
        self.resolved.append(tgt)
        if tgt not in IDS:
            raise TargetError(f"{tgt} is no target")
        return IDS[tgt]

    def lock(self, target="db*", owner="ann", reason="disks", seconds=60.0):
        return self.locks.add(target, "glob", owner=owner, reason=reason, seconds=seconds)


@pytest.fixture
def master(store):
    return Master(store)


def refused(locks, *names, fun="state.apply", **more):
    return locks.refusal(fun, [], names, **more)


def test_a_job_on_a_locked_minion_is_refused(master):
    lock = master.lock()

    assert "db1 (1 of 2 minions) is locked by ann until" in refused(master.locks, "web1", "db1")
    assert refused(master.locks, "web1") == ""
    assert refused(master.locks, "db1", fun="test.ping") == ""
    assert refused(master.locks, "db1", despite=[lock.id]) == ""


def test_locks_outlive_the_master_and_end_by_their_moment(master):
    master.lock()
    locks = master.make()
    assert refused(locks, "db1")

    master.now += 60

    assert (refused(locks, "db1"), locks.all()) == ("", [])


def test_a_dropped_lock_is_gone(master):
    lock = master.lock()

    assert [master.locks.drop(lock.id) for _ in range(2)] == [True, False]
    assert refused(master.locks, "db1") == ""
    assert master.make().all() == []


def test_masters_of_a_cluster_see_each_others_locks_at_once(store):
    one, two = Master(store, is_shared=True), Master(store, is_shared=True)
    assert refused(two.locks, "db1") == ""

    lock = one.lock()

    assert refused(two.locks, "db1")
    assert two.locks.drop(lock.id)
    assert refused(one.locks, "db1") == ""


def test_without_locks_a_job_asks_nothing(master):
    refused(master.locks, "db1")
    reads = []
    master.banks.list_all = lambda bank: reads.append(bank)

    assert refused(master.locks, "db1") == ""
    assert (reads, master.resolved) == ([], [])


def test_freezes_refuse_too_and_are_not_dropped(store):
    freeze = Lock("freeze:x", "*", "glob", "the setting change_freezes", "holidays", 0.0, 2000.0)
    master = Master(store, freezes=[freeze])

    assert "web1 is frozen by the setting change_freezes" in refused(master.locks, "web1")
    assert master.locks.get("freeze:x") == freeze
    assert not master.locks.drop("freeze:x")


@pytest.mark.parametrize(
    "values", [{"reason": " "}, {"reason": "x" * (MAX_REASON + 1)}, {"seconds": 0.0}, {"seconds": 1e9}]
)
def test_values_out_of_bounds_are_refused(master, values):
    with pytest.raises(InvocationError):
        master.lock(**values)

    assert master.locks.all() == []


def test_a_target_that_cannot_be_resolved_is_refused(master):
    with pytest.raises(TargetError):
        master.lock("web")


def test_locks_are_bounded_and_old_ones_make_room(master):
    for number in range(MOST):
        row = [str(number), "db*", "glob", "a", "b", 0.0, 1010.0, ":"]
        kept = master.banks.store("locks", str(number), row)
    kept.result(30)
    with pytest.raises(InvocationError, match="1000 locks"):
        master.lock()

    master.now = 1010.0

    assert master.locks.all() == [] and master.lock()


def test_a_malformed_row_is_no_lock(master):
    master.banks.store("locks", "x", ["x"]).result(30)

    assert master.locks.all() == []


@pytest.mark.parametrize(("target", "reason"), [("db*", "disks\x1b[2J"), ("db*\x1b]0;x", "disks")])
def test_a_lock_controls_no_terminal(master, target, reason):
    with pytest.raises(InvocationError, match="no control characters"):
        master.lock(target, reason=reason)


def test_one_owner_leaves_room_for_others(master):
    master.lock()

    with pytest.raises(InvocationError, match="ann may have at most 1 locks"):
        master.locks.add("db*", "glob", owner="ann", reason="x", seconds=60.0, most_own=1)
    assert master.locks.add("db*", "glob", owner="bob", reason="x", seconds=60.0, most_own=1)


def test_a_refusal_names_the_jobs_user_and_source(store):
    lines = []
    master = Master(store, on_refusal=lines.append)
    master.lock()

    master.locks.refusal(["test.ping", "state.apply"], [[], []], ["db1"], user="bob", source="uid 1001")

    (line,) = lines
    assert line.pop("reason").startswith("db1 is locked by ann until ")
    assert line.pop("verdict") == "refused"
    assert line == {"user": "bob", "fun": ["test.ping", "state.apply"], "tgt": ["db1"], "from": "uid 1001"}


MALFORMED = [
    ("nosuch", "nodegroup"),
    ("(", "pcre"),
    ("and and", "compound"),
    ("N@nosuch", "compound"),
    (["N@nosuch"], "compound"),
    ("m1 or (", "compound"),
    ("10.0.0.0/99", "ipcidr"),
    ("G@", "compound"),
    ("os", "grain"),
    ("", "glob"),
    (" ", "glob"),
    ("", "pcre"),
    ("", "nodegroup"),
    ("", "list"),
    (" , ", "list"),
    ([], "list"),
    ([""], "list"),
    ("db*", "glbo"),
]


@pytest.mark.parametrize(("target", "tgt_type"), MALFORMED, ids=str)
def test_a_target_that_would_protect_nothing_is_refused(store, target, tgt_type):
    # The master's resolution matches no minion with most of these, and says nothing.
    def resolve(target, tgt_type, delimiter):
        if tgt_type == "glbo":
            raise TargetError("target type 'glbo' does not exist")
        return []

    locks = Locks(Banks(store), resolve=resolve, nodegroups={"dbs": ["db1"]})

    with pytest.raises(TargetError):
        locks.add(target, tgt_type, owner="ann", reason="disks", seconds=60.0)
    assert locks.all() == []


@pytest.mark.parametrize(
    ("target", "tgt_type"),
    [
        ("nobody*", "glob"),
        ("dbs", "nodegroup"),
        ("G@os:x and not db1", "compound"),
        (["db9"], "list"),
        ("10.0.0.0/8", "ipcidr"),
        ("x", "users"),
    ],
    ids=str,
)
def test_a_valid_target_without_minions_is_locked(store, target, tgt_type):
    locks = Locks(Banks(store), resolve=lambda *target: [], nodegroups={"dbs": ["db1"]})

    locks.add(target, tgt_type, owner="ann", reason="disks", seconds=60.0)

    assert [lock.target for lock in locks.all()] == [target]
