"""Read sets of state runs that a minion sends to its master."""

import pytest

from salt_g.minion.jobs.read_set_sender import KNOWN_FOR, REMEMBERED, ReadSetSender
from salt_g.report.recording.read_sets import SIZE, names_of, opened
from salt_g.report.recording.reads import Reads
from tests.support.clocks import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def sender(clock):
    return ReadSetSender(is_wanted=lambda: True, clock=clock)


def reads(name="pillar:a"):
    made = Reads()
    made.name(name)
    return made


def test_a_set_is_sent_once_then_its_digest(sender):
    first = sender.packed(reads())

    assert names_of(opened(first)[1]) == {"": {"pillar:a": ""}}
    assert sender.packed(reads()) == first[:SIZE]
    assert len(sender.packed(reads("pillar:b"))) > SIZE


def test_it_is_sent_again_after_a_sign_in_and_after_a_day(sender, clock):
    first = sender.packed(reads())
    sender.forget()
    assert sender.packed(reads()) == first
    clock.now = KNOWN_FOR + 1
    assert sender.packed(reads()) == first


def test_a_bounded_number_is_remembered(sender):
    first = sender.packed(reads())
    for number in range(REMEMBERED):
        sender.packed(reads(f"grain:{number}"))

    assert sender.packed(reads()) == first


def test_only_runs_of_the_tree_are_recorded_for_masters_that_want_it(sender, tmp_path):
    opts = {"cachedir": str(tmp_path)}

    assert isinstance(sender.reads("state.apply", (), opts), Reads)
    for fun in ("test.ping", ["state.apply"], "state.single"):
        assert sender.reads(fun, (), opts) is None
    assert ReadSetSender(is_wanted=lambda: False).reads("state.apply", (), opts) is None


def test_a_run_that_did_not_begin_has_no_set(sender):
    first = sender.packed(reads())

    assert sender.packed(Reads()) == b""
    assert sender.packed(reads()) == first[:SIZE]
