"""Routes of locks."""

import pytest

from salt_g.http_api.messages import Refusal

LOCK = {
    **{"id": "1f0c3a9b", "target": "db*", "tgt_type": "glob", "owner": "ann (pam)"},
    **{"reason": "disks", "since": 1.0, "until": 2.0},
}


def test_freezes_are_distinguished_from_locks(call, master):
    master.answers["lock_list"] = {"locks": [LOCK, {**LOCK, "id": "freeze:xmas"}]}
    assert [one["is_freeze"] for one in call("GET", "/locks").data["items"]] == [False, True]


def test_a_lock_is_made_with_its_target_reason_and_time(call, master):
    master.answers["lock_add"] = {"lock": LOCK}
    answer = call("POST", "/locks", data={"tgt": "db*", "reason": "disks", "seconds": 60})

    assert (answer.status, dict(answer.headers)["Location"]) == (201, "/v1/locks/1f0c3a9b")
    load, source = master.requests[-1]
    assert (load["tgt"], load["tgt_type"], load["seconds"], source) == ("db*", "glob", 60, "192.0.2.7")
    with pytest.raises(Refusal, match="reason"):
        call("POST", "/locks", data={"tgt": "db*", "seconds": 60})


@pytest.mark.parametrize(
    ("id", "answer", "status"),
    [
        ("freeze:xmas", {}, 409),
        ("1f", {"dropped": {"1f": False}}, 404),
        ("1f", {"error": {"name": "TokenAuthenticationError", "message": "no"}}, 401),
        ("1f", {"error": "the disk is full"}, 400),
    ],
)
def test_a_lock_that_cannot_be_dropped_says_why(call, master, id, answer, status):
    master.answers["lock_drop"] = answer
    with pytest.raises(Refusal) as refusal:
        call("DELETE", f"/locks/{id}")
    assert refusal.value.status == status


def test_a_lock_is_dropped(call, master):
    master.answers["lock_drop"] = {"dropped": {"1f": True}}
    assert call("DELETE", "/locks/1f").data == {"dropped": "1f"}
