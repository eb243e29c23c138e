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
    """Factory: a gate whose database does not answer at the first looks."""

    def build(number):
        def unanswered():
            looks.append(len(looks))
            return REFUSE + 0.1 if len(looks) <= number else 0.5

        membership = SimpleNamespace(unanswered=unanswered, check_jobs=lambda: looks.append("checked"))
        waits = ("barrier", "newcomers", "rotation")
        return SharedGate(None, membership, None, **dict.fromkeys(waits))

    return build


def test_who_can_wait_waits_for_the_database(make, looks):
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
        gevent.event.Event().wait(60)
    # Nobody is interrupted any more.
    gevent.idle()


def test_a_slow_database_is_waited_for_a_moment_by_any_job(make, looks):
    make(2).check()

    assert looks == [0, 1, 2, "checked"]
