"""Runner and wheel calls: their loads, their arguments, their ends."""

import pytest

from salt_g.client.master_calls import read_arguments
from salt_g.client.runner import RunnerClient
from salt_g.client.wheel import WheelClient
from salt_g.errors import AuthenticationError, ClientError, MasterUnreachable

TAG = "salt/run/20260102030405678901"


@pytest.fixture
def runner(link):
    return RunnerClient({}, link=link, user="ops")


@pytest.mark.parametrize(
    ("words", "kwarg", "expected"),
    [
        (["a", "b=2", "[3]"], {}, (["a", [3]], {"b": 2})),
        ([1, None, ["x=1"]], {}, ([1, None, ["x=1"]], {})),
        ([{"__kwarg__": True, "x": 1}, {"y": 2}], {}, ([{"y": 2}], {"x": 1})),
        (["x=1"], {"x": 2, "__kwarg__": True}, ([], {"x": 2})),
        ([], {}, ([], {})),
    ],
)
def test_words_and_marked_maps_are_keywords(words, kwarg, expected):
    assert read_arguments(words, kwarg) == expected


def test_a_load_has_credentials_beside_the_arguments_and_no_other_identity(link):
    wheel = WheelClient({}, link=link, user="ops")
    low = {"fun": "key.accept", "arg": ["web1"], "kwarg": {"a": 1}, "b": 2}
    auth = {"username": "u", "password": "p", "eauth": "pam"}

    load = wheel.load_of({**low, **auth, "user": "root", "cmd": "runner", "client": "wheel"})

    assert load == {"cmd": "wheel", "fun": "key.accept", "user": "ops", "arg": ["web1"]} | auth | {
        "kwarg": {"a": 1, "b": 2}
    }
    assert low["kwarg"] == {"a": 1}


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        ({"error": {"name": "AuthenticationError", "message": "who?"}}, AuthenticationError, "who?"),
        ({"error": "no such function"}, ClientError, "no such function"),
        ({}, ClientError, "malformed answer from the master to runner f"),
        ("", ClientError, "malformed answer from the master to runner f"),
        ({"jid": "1"}, ClientError, "malformed answer"),
    ],
)
def test_an_error_in_the_reply_is_raised(runner, link, reply, kind, text):
    link.answer = lambda load: reply

    with pytest.raises(kind, match=text.replace("?", r"\?")):
        runner.cmd("f")


def test_events_of_a_call_come_up_to_its_return(runner, link):
    for tag in (f"{TAG}/new", "salt/run/other/ret", f"{TAG}/progress", f"{TAG}/ret", f"{TAG}/late"):
        link.put(0, tag)

    assert [event.tag for event in runner.events_of(TAG, 5)] == [
        f"{TAG}/new",
        f"{TAG}/progress",
        f"{TAG}/ret",
    ]


def test_a_call_that_does_not_end_is_given_up_and_left(runner, link):
    link.answer = lambda load: {"tag": TAG, "jid": TAG[-20:]}

    with pytest.raises(MasterUnreachable, match=f"{TAG} did not end within 7 s"):
        runner.cmd_sync({"fun": "f"}, timeout=7)

    assert link.left == [TAG]


def test_the_full_return_is_the_data_of_the_last_event(runner, link):
    def answer(load):
        link.put(0, f"{TAG}/ret", **{"return": 7, "success": False})
        return {"tag": TAG, "jid": TAG[-20:]}

    link.answer = answer

    assert runner.cmd("f", full_return=True) == {"return": 7, "success": False}
