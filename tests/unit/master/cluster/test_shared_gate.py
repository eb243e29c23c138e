"""Gate of jobs in a cluster, without a database."""

from types import SimpleNamespace

import pytest

from salt_g.cluster.membership import REFUSE
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
            return REFUSE if len(looks) <= number else 0.5

        membership, waits = SimpleNamespace(unanswered=unanswered), ("barrier", "newcomers", "rotation")
        return SharedGate(None, membership, None, **dict.fromkeys(waits))

    return build


def test_who_can_wait_waits_for_the_database(make, looks):
    make(2).wait()

    assert len(looks) == 3


def test_the_wait_is_limited(make, looks, monkeypatch):
    monkeypatch.setattr(shared_gate, "PATIENCE", 0.0)

    make(1000).wait()

    assert len(looks) < 10
