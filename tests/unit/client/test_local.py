"""Stock's methods over a master in memory."""

import pytest

from salt_g.client import LocalClient, LocalEventBus, RunnerClient, WheelClient
from salt_g.errors import AuthorizationError

JID = "20260102030405678901"
OPTS = {
    "timeout": 5,
    "gather_job_timeout": 10,
    "nodegroups": {},
    "publish_timeout": 30,
    "event_match_type": "",
}


@pytest.fixture
def client(link):
    """Return a client whose job is returned by `a` (4) and `b` (5, a failed state)."""

    def answer(load):
        if load["cmd"] != "publish":
            return {}
        if load["tgt"] == "nobody":
            return {"load": {"jid": None, "minions": []}}
        link.put_return(link.now, "a", 4)
        link.put_return(link.now, "b", 5, retcode=2, out="highstate")
        return {"load": {"jid": JID, "minions": ["a", "b"]}}

    link.answer = answer
    return LocalClient(mopts=OPTS, link=link, user="root")


A = {"a": {"ret": 4, "retcode": 0, "jid": JID}}
B = {"b": {"ret": 5, "retcode": 2, "jid": JID, "out": "highstate"}}


def test_cmd_returns_values_by_id(client):
    assert client.cmd("*", "test.ping") == {"a": 4, "b": 5}


def test_cmd_with_full_return_has_codes(client):
    assert client.cmd("*", "test.ping", full_return=True) == {**A, **B}


def test_cmd_without_minions_is_empty(client):
    assert client.cmd("nobody", "test.ping") == {}
    assert client.cmd_async("nobody", "test.ping") == 0
    assert client.run_job("nobody", "test.ping") == {}


def test_keywords_of_a_function_and_of_the_job_go_where_they_belong(client, link):
    client.cmd("*", "f", ["x"], kwarg={"y": 1}, metadata={"z": 2}, gather_job_timeout=3, verbose=True)

    assert link.requests[0]["arg"] == ["x", {"__kwarg__": True, "y": 1}]
    assert link.requests[0]["kwargs"] == {"metadata": {"z": 2}}


def test_iterators_yield_each_return(client):
    assert list(client.cmd_iter("*", "f")) == [A, B]
    assert list(client.cmd_cli("*", "f")) == [A, B]
    assert [one for one in client.cmd_iter_no_block("*", "f") if one] == [A, B]


def test_an_iterator_can_begin_with_what_was_published(client):
    first, *_ = client.cmd_iter("*", "f", yield_pub_data=True)

    assert first == {"jid": JID, "minions": ["a", "b"]}


def test_raw_returns_are_events(client):
    first, _ = client.cmd_iter("*", "f", raw=True)

    assert (first["tag"], first["data"]["return"]) == (f"salt/job/{JID}/ret/a", 4)


def test_full_returns_say_whether_they_succeeded(client):
    assert client.cmd_full_return("*", "f") == {
        "a": {"ret": 4, "success": False},
        "b": {"ret": 5, "success": False, "out": "highstate"},
    }


def test_a_job_that_was_watched_is_left(client, link):
    client.cmd("*", "f")

    assert link.left == [f"salt/job/{JID}"]


def test_cached_returns_come_first_and_alone_when_they_are_all(client, link):
    link.answer = lambda load: {"load": {}, "returns": {"a": {"return": 1, "out": "x"}, "b": {"return": 2}}}

    assert list(client.get_cli_returns(JID, ["a", "b"])) == [{"a": {"ret": 1, "out": "x"}, "b": {"ret": 2}}]


def test_a_refusal_is_raised(client, link):
    link.answer = lambda load: {"error": {"name": "AuthorizationError", "message": "no"}}

    with pytest.raises(AuthorizationError):
        client.cmd("*", "f")


def test_a_runners_value_is_waited_for(link):
    def answer(load):
        link.put(link.now, f"salt/run/{JID}/new", fun="runner.f")
        link.put(link.now, f"salt/run/{JID}/ret", **{"return": 7, "success": True})
        return {"tag": f"salt/run/{JID}", "jid": JID}

    link.answer = answer
    client = RunnerClient(OPTS, link=link, user="root")

    assert client.cmd("f", ["x", "y=1"], kwarg={"z": 2}) == 7
    assert link.requests[0] == {
        "cmd": "runner",
        "fun": "f",
        "user": "root",
        "kwarg": {"arg": ["x"], "kwarg": {"y": 1, "z": 2}},
    }
    assert client.cmd_async({"fun": "f", "old": "style"}) == {"tag": f"salt/run/{JID}", "jid": JID}
    assert link.requests[1]["kwarg"] == {"arg": [], "kwarg": {"old": "style"}}


def test_a_wheel_functions_value_is_in_the_reply(link):
    link.answer = lambda load: {"tag": f"salt/wheel/{JID}", "data": {"jid": JID, "return": {"minions": []}}}
    client = WheelClient(OPTS, link=link, user="root")

    assert client.cmd("key.list_all") == {"minions": []}
    assert client.cmd_async({"fun": "key.list_all"}) == {"tag": f"salt/wheel/{JID}", "jid": JID}
    assert link.requests[0] == {"cmd": "wheel", "fun": "key.list_all", "user": "root", "arg": [], "kwarg": {}}


def test_the_bus_gives_events_by_tag_and_keeps_those_that_were_subscribed_to(link):
    bus = LocalEventBus(OPTS, link=link)
    bus.subscribe("mine")
    link.put(0, "mine/1", n=1)
    link.put(0, "other/2", n=2)
    link.put(0, "wanted/3", n=3)

    assert bus.get_event(tag="wanted", full=True) == {"tag": "wanted/3", "data": {"n": 3}}
    assert bus.get_event(tag="mine") == {"n": 1}
    assert bus.get_event(tag="other", no_block=True) is None
