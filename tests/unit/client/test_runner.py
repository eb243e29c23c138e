"""Runner functions: their value, their last event, their position in a load."""

import pytest

from salt_g.client.runner import RunnerClient
from salt_g.errors import MasterUnreachable

TAG = "salt/run/20260102030405678901"


@pytest.fixture
def client(link):
    """Return a client of a master that starts every function."""
    link.answer = lambda load: {"tag": TAG, "jid": TAG[-20:]}
    return RunnerClient({}, link=link, user="ops")


def test_the_value_is_in_the_last_event_and_the_events_are_left(client, link):
    link.put(0, f"{TAG}/progress", **{"return": "not yet"})
    link.put(0, f"{TAG}/ret", **{"return": 7})

    assert client.cmd_sync({"fun": "f"}) == 7
    assert link.left == [TAG]


def test_the_full_return_has_the_tag(client, link):
    link.put(0, f"{TAG}/ret", **{"return": None, "success": True})

    assert client.cmd_sync({"fun": "f"}, full_return=True) == {
        "tag": f"{TAG}/ret",
        "data": {"return": None, "success": True},
    }


def test_both_kinds_of_arguments_lie_in_kwarg(client, link):
    client.cmd_async({"fun": "f", "arg": [1, "x=2"], "kwarg": {"y": 3}, "z": 4, "token": "t"})

    assert link.requests == [
        {
            "cmd": "runner",
            "fun": "f",
            "user": "ops",
            "token": "t",
            "kwarg": {"arg": [1], "kwarg": {"x": 2, "y": 3, "z": 4}},
        }
    ]


def test_a_call_that_ends_too_late_is_left_too(client, link):
    link.put(100, f"{TAG}/ret")

    with pytest.raises(MasterUnreachable):
        client.cmd_sync({"fun": "f"}, timeout=5)
    assert link.left == [TAG]
