"""Read sets in returns of state runs, on their way into the store."""

import pytest

from salt_g.errors import StoreBusy
from salt_g.master.returns.read_set_intake import ReadSetIntake
from salt_g.report.recording.read_sets import opened, packed

DATA = packed({"web": {"pillar:a": ""}})
LOAD = {"id": "m1", "jid": "20261120040000000000", "fun": "state.apply", "fun_args": ["web", "test=True"]}


class Index:
    """Fake store of read-sets, which records additions."""

    def __init__(self, error=None):
        self.added = []
        self.error = error

    def add(self, ran):
        if self.error:
            raise self.error
        self.added.append(ran)


def test_a_set_is_kept_under_the_minion_of_the_session_and_its_call():
    index = Index()
    ReadSetIntake(index, now=lambda: 5.0).take(LOAD, DATA)

    (ran,) = index.added
    assert (ran.minion, ran.at, ran.jid) == ("m1", 5.0, LOAD["jid"])
    assert (ran.digest, ran.body) == opened(DATA)
    assert ran.call == '{"fun": "state.apply", "mods": ["web"]}'


@pytest.mark.parametrize("load", [{"fun": "test.ping"}, {"fun": ["state.apply"]}, {"fun": "state.single"}])
def test_other_returns_have_none(load):
    index = Index()
    ReadSetIntake(index).take({**LOAD, **load}, DATA)

    assert index.added == []


def test_of_a_trial_in_another_environment_only_the_set_is_kept():
    index = Index()
    ReadSetIntake(index).take({**LOAD, "metadata": {"impact_trial": True}}, DATA)

    assert [(ran.call, ran.body) for ran in index.added] == [("", opened(DATA)[1])]


def test_a_damaged_set_is_logged_and_its_return_goes_on(caplog):
    index = Index()
    ReadSetIntake(index).take({**LOAD, "fun_args": None}, DATA + b"x")

    assert index.added == [] and "does not match its digest" in caplog.text


def test_a_full_queue_leaves_the_return_to_its_minion():
    with pytest.raises(StoreBusy):
        ReadSetIntake(Index(StoreBusy("/store", "is busy"))).take(LOAD, DATA)
