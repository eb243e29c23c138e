"""Wheel functions, whose value is in the reply."""

import pytest

from salt_g.client.wheel import WheelClient
from salt_g.errors import AuthorizationError

TAG = "salt/wheel/20260102030405678901"


@pytest.fixture
def client(link):
    """Return a client of a master that answers with the function and its keywords."""
    link.answer = lambda load: {
        "tag": TAG,
        "data": {"return": [load["fun"], load["kwarg"]], "success": True, "jid": TAG[-20:]},
    }
    return WheelClient({}, link=link, user="ops")


def test_keywords_of_python_are_those_of_the_function(client, link):
    assert client.call_func("key.accept", match="web1") == ["key.accept", {"match": "web1"}]
    assert link.requests[0] == {
        **{"cmd": "wheel", "fun": "key.accept", "user": "ops"},
        **{"arg": [], "kwarg": {"match": "web1"}},
    }


def test_texts_stay_as_they_are(client, link):
    client.cmd_sync({"fun": "key.accept", "arg": ["0123", "a=1", {"__kwarg__": True, "b": 2}]})

    assert (link.requests[0]["arg"], link.requests[0]["kwarg"]) == (["0123"], {"a": 1, "b": 2})


def test_a_synchronous_call_returns_tag_and_data(client):
    done = client.cmd_sync({"fun": "f"})

    assert (done["tag"], done["data"]["success"]) == (TAG, True)


def test_a_started_call_returns_its_tag_and_jid(client, link):
    assert client.cmd_async({"fun": "f"}) == {"tag": TAG, "jid": TAG[-20:]}

    link.answer = lambda load: {"tag": TAG}
    assert client.cmd_async({"fun": "f"}) == {"tag": TAG, "jid": None}


def test_a_refusal_is_raised(client, link):
    link.answer = lambda load: {"error": {"name": "AuthorizationError", "message": "no"}}

    with pytest.raises(AuthorizationError, match="no"):
        client.cmd("key.accept")
