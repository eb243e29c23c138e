"""Gate of jobs in a cluster, without a database."""

from types import SimpleNamespace

import gevent
import gevent.event
import pytest

from salt_g.cluster.membership import REFUSE
from salt_g.errors import StoreError
from salt_g.master.cluster import shared_gate
from salt_g.master.cluster.shared_gate import SharedGate


@pytest.fixture
def looks():
    return []


@pytest.fixture
def make(looks):
    """Return a function that makes a gate whose database does not answer at the first attempts."""

    def build(number):
        def unanswered():
            looks.append(len(looks))
            return REFUSE + 0.1 if len(looks) <= number else 0.5

        membership = SimpleNamespace(unanswered=unanswered, check_jobs=lambda: looks.append("checked"))
        waits = ("barrier", "newcomers", "rotation")
        return SharedGate(None, membership, None, **dict.fromkeys(waits))

    return build


def test_a_job_that_can_wait_waits_for_the_database(make, looks):
    make(2).wait()

    assert len(looks) == 3


def test_the_wait_is_limited(make, looks, monkeypatch):
    monkeypatch.setattr(shared_gate, "PATIENCE", 0.0)

    make(1000).wait()

    assert len(looks) < 10


def test_a_read_ends_as_soon_as_the_database_does_not_answer(monkeypatch):
    monkeypatch.setattr(shared_gate, "LOOK", 0.01)

    class Silent:
        def check_answers(self, waited):
            raise StoreError("db1", "cannot be reached")

    gate = SharedGate(None, Silent(), None, **dict.fromkeys(("barrier", "newcomers", "rotation")))

    with pytest.raises(StoreError, match="cannot be reached"), gate.answering():
        gevent.event.Event().wait()
    # The block that ended is not interrupted any more.
    gevent.idle()


def test_a_slow_database_is_waited_for_a_moment_by_any_job(make, looks):
    make(2).check()

    assert looks == [0, 1, 2, "checked"]


def test_jobs_that_are_given_again_are_written_many_at_once_and_awaited_then():
    steps = []

    class Membership:
        member = SimpleNamespace(id="a", epoch=1)
        sealing = SimpleNamespace(seal_job=bytes)

        def check_jobs(self):
            pass

        def outcome(self, write, withdraw):
            steps.append("await")
            return write

    store = SimpleNamespace(write=lambda *words: steps.append("write") or 7)
    log = SimpleNamespace(ring=lambda: steps.append("ring"))
    gate = SharedGate(store, Membership(), log, **dict.fromkeys(("barrier", "newcomers", "rotation")))

    gate.send_many_again(({"jid": str(number)}, ["m1"]) for number in range(shared_gate.AT_ONCE + 1))

    first = ["write"] * shared_gate.AT_ONCE + ["await"] * shared_gate.AT_ONCE + ["ring"]
    assert steps == [*first, "write", "await", "ring"]
