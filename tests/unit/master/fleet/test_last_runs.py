"""Last state runs of minions."""

import pytest

from salt_g.errors import StoreBusy
from salt_g.master.fleet.last_runs import BANK, LastRuns
from salt_g.report.run_verdict import run_verdict

STATE = {"test_|-a_|-a_|-nop": {"result": True, "changes": {}}}


class Banks:
    def __init__(self, kept=None):
        self.kept = kept or {}
        self.is_busy = False

    def list_all(self, bank):
        assert bank == BANK
        return dict(self.kept)

    def store(self, bank, key, value):
        if self.is_busy:
            raise StoreBusy("store.db", "its queue is full")
        self.kept[key] = value


@pytest.fixture
def banks():
    return Banks()


def make(banks, since=""):
    return LastRuns(banks, is_owned=lambda id, jid: jid >= since)


def kept(jid, returned=STATE):
    load = {"id": "m1", "jid": jid, "fun": "state.apply", "return": returned, "retcode": 0}
    return load, run_verdict(load)


def test_the_newest_run_stays_and_survives_a_restart(banks):
    runs = make(banks)
    runs.note(*kept("2"))
    runs.note(*kept("1"))
    runs.note(*kept("3", returned=True))

    assert runs.get("m1")["jid"] == "2"
    assert runs.get("m1")["counts"] == {"ok": 1}
    assert make(banks).get("m1") == runs.get("m1")
    assert runs.get("m2") == {}


def test_a_new_key_begins_without_a_run(banks):
    make(banks).note(*kept("1"))

    assert make(banks, since="2").get("m1") == {}


def test_a_full_store_does_not_stop_returns(banks):
    banks.is_busy = True
    runs = make(banks)
    runs.note(*kept("1"))

    assert runs.get("m1")["jid"] == "1"
