"""Routes of plans."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.plan_routes import shown

RECORD = {
    **{"id": "7f3a91", "name": "web.plan", "fun": "state.apply", "arg": [], "user": "sudo_ann"},
    **{"made": 1.0, "until": 2.0, "jid": "1", "minions": ["m1", "m2"], "is_closed": True},
    **{"refused": {"m2": "did not return"}, "counts": {"minions": 1}, "size": 9, "planned": {"m1": "digest"}},
    **{"approvals": [], "applied": [], "approval": ""},
}


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({"is_closed": False}, "testing"),
        ({}, "ready"),
        ({"approval": "other"}, "waiting"),
        ({"approval": "other", "approvals": [{"user": "ann", "at": 1.0}]}, "waiting"),
        ({"approval": "other", "approvals": [{"user": "ben", "at": 1.0}]}, "ready"),
        ({"applied": [{"jid": "2", "user": "ann", "at": 1.0}]}, "applied"),
    ],
)
def test_a_plan_says_what_it_waits_for(more, state):
    assert shown({**RECORD, **more})["state"] == state
    assert "planned" not in shown(RECORD)


def test_plans_come_newest_first(call, master):
    master.answers["plan_list"] = {"plans": [RECORD, {**RECORD, "id": "newer"}]}
    result = call("GET", "/plans").data["items"]
    assert [one["id"] for one in result] == ["newer", "7f3a91"]
    assert (result[0]["minions"], result[0]["refused"]) == (2, 1)


def test_a_plan_is_made_of_a_test_run(call, master):
    reply = {"plan": "7f3a91", "jid": "1", "minions": ["m1"]}
    master.answers["plan_save"] = {"enc": "clear", "load": reply}
    answer = call("POST", "/plans", data={"tgt": "web*", "arg": ["web"], "name": "web.plan"})

    assert (answer.status, answer.data["id"]) == (202, "7f3a91")
    load, _ = master.requests[-1]
    assert (load["cmd"], load["fun"], load["name"]) == ("plan_save", "state.apply", "web.plan")
    assert load["arg"] == ["web", {"__kwarg__": True, "test": True}]
    # The proof of a publication stands in its further fields.
    assert load["kwargs"] == {"token": load["token"]}
    assert "user" not in load


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"load": {"error": "frozen", "locked": True}}, 409),
        ({"load": {"jid": None, "minions": [], "error": "nobody"}}, 400),
        ({"error": "no plan", "why": "unknown"}, 404),
        ({"error": "no right", "why": "right"}, 403),
        ({"error": "applied", "why": "state"}, 409),
        ({"error": {"name": "AuthorizationError", "message": "no"}}, 401),
        ({}, 503),
    ],
)
def test_refusals_have_their_status(call, master, reply, status):
    master.answers["plan_apply"] = reply
    with pytest.raises(Refusal) as refusal:
        call("POST", "/plans/7f3a91:apply", data={})
    assert refusal.value.status == status


def test_changes_come_by_page_with_bounded_minions(call, master):
    group = {"fun": "file.managed", "minions": [f"m{number}" for number in range(1500)], "cut": 0}
    master.answers["plan_groups"] = {"groups": [group], "next": 5, "total": 9, "idle": ["m"] * 1001}
    result = call("GET", "/plans/7f3a91/changes", {"after": "4", "limit": "1"}).data

    assert (result["next"], result["total"], result["items"][0]["count"]) == ("5", 9, 1500)
    assert len(result["items"][0]["minions"]) == len(result["idle"]) == 1000
    load, _ = master.requests[-1]
    assert (load["after"], load["limit"], load["plan"]) == (4, 1, "7f3a91")
    with pytest.raises(Refusal, match="after"):
        call("GET", "/plans/7f3a91/changes", {"after": "x"})


def test_a_plan_is_shown_with_those_that_are_not_in_it(call, master):
    master.answers["plan_record"] = {"plan": RECORD}
    result = call("GET", "/plans/7f3a91").data
    assert (result["refused"], result["minions"]) == ({"m2": "did not return"}, ["m1", "m2"])


def test_a_plan_is_applied_and_dropped(call, master):
    master.answers["plan_apply"] = {"load": {"jid": "5", "minions": ["m1"], "plan": "7f3a91"}}
    answer = call("POST", "/plans/7f3a91:apply", data={"accept_opaque": True, "all_at_once": True})
    assert (answer.data, dict(answer.headers)["Location"]) == ({"jid": "5", "minions": ["m1"]}, "/v1/jobs/5")
    assert master.requests[-1][0]["accept_opaque"] is True
    assert master.requests[-1][0]["all_at_once"] is True
    master.answers["plan_drop"] = {"plan": RECORD}
    assert call("DELETE", "/plans/web.plan").data == {"dropped": "7f3a91"}
