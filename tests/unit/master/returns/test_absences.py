"""Facts about silent minions."""

from types import SimpleNamespace

from salt_g.master.returns.absences import Absences


class Presence:
    def connected(self):
        return {"here"}


NOW = {"n": 3, "id": "nginx", "fun": "pkg.installed", "since": 940.0, "line": "Unpacking"}
STEPS = {"away": {"total": 9, "done": [{}, {}], "now": NOW, "lost": 1}}


def known(*ids):
    sessions = [
        SimpleNamespace(id="away", seen=50.0),
        SimpleNamespace(id="away", seen=40.0),
        SimpleNamespace(id="here", seen=60.0),
        SimpleNamespace(id="never", seen=0.0),
    ]
    absences = Absences(
        Presence(),
        sessions,
        lambda jid: STEPS if jid == "1" else {},
        now=lambda: 1000.0,
        clock=lambda: 100.0,
    )
    return absences.of("1", ids)


def test_of_a_minion_in_the_middle_of_states_the_step_is_known():
    assert known("away") == {
        "away": {
            "connected": False,
            "heard": 950.0,
            "received": True,
            "step": {
                "done": 3,
                "total": 9,
                "n": 3,
                "id": "nginx",
                "fun": "pkg.installed",
                "since": 940.0,
            },
        }
    }


def test_unknown_facts_are_not_invented():
    assert known("never", "here") == {
        "never": {"connected": False, "heard": None, "received": None, "step": None},
        "here": {"connected": True, "heard": 960.0, "received": None, "step": None},
    }
    assert known() == {}
