"""Routes of scoped tokens."""

import pytest

from salt_g.http_api.messages import Refusal


def test_a_token_is_made_and_shown_once(call, master):
    made = {"token": "ab" * 32, "label": "ci", "limits": ["@jobs"], "cidr": [], "expire": 9.0}
    master.answers["token_make"] = {"made": made}
    answer = call("POST", "/tokens", data={"name": "ci", "allow": ["@jobs"], "expires": 60})

    assert answer.status == 201
    assert answer.data["token"] == "ab" * 32
    load, _ = master.requests[-1]
    assert (load["label"], load["on"], load["lifetime"], load["cidr"]) == ("ci", "*", 60, [])


def test_tokens_are_listed_and_revoked(call, master):
    one = {
        "id": "1",
        "label": "ci",
        "limits": [],
        "cidr": ["::1"],
        "start": 1.0,
        "expire": 2.0,
        "user": "ann",
    }
    master.answers["tokens"] = {"tokens": [one]}
    [shown] = call("GET", "/tokens").data["items"]
    assert (shown["name"], shown["from"]) == ("ci", ["::1"])

    master.answers["token_revoke"] = {"revoked": True}
    assert call("DELETE", "/tokens/1").data == {"revoked": "1"}
    master.answers["token_revoke"] = {"revoked": False}
    with pytest.raises(Refusal) as refusal:
        call("DELETE", "/tokens/1")
    assert refusal.value.status == 404
