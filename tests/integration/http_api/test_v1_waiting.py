"""Mailbox and locks of /v1, with a real fleet: users have the rights of the command line."""

import pytest

from tests.support.api_client import USERS
from tests.support.api_fleet import running
from tests.support.commands import Machine, outcome_of

RIGHTS = {
    **USERS,
    "dan": ["test.*", {"@lock": ["lock.add", "lock.drop"]}],
}


@pytest.fixture(scope="module")
def fleet():
    freeze = {"name": "old", "reason": "rest", "from": "2020-01-01", "until": "2199-01-01", "target": "none"}
    with running(external_auth={"sharedsecret": RIGHTS}, change_freezes=[freeze]) as parts:
        pki = parts[0].pki_dir
        (pki / "minions" / "away1").write_text((pki / "minions" / "m1").read_text())
        yield parts


@pytest.fixture(scope="module")
def ann(v1):
    return v1.as_user("ann")


@pytest.fixture(scope="module")
def bob(v1):
    return v1.as_user("bob")


@pytest.fixture(scope="module")
def dan(v1):
    return v1.as_user("dan")


def keep(user, tgt="away1", fun="test.ping", **more):
    job = {"tgt": tgt, "fun": fun, "when_back": 3600, **more}
    return user.call("POST", "/jobs", job)


def test_a_job_is_kept_for_minions_that_are_away(ann, bob):
    status, result = keep(ann, tgt="*", fun="test.version")
    assert status == 202
    assert (result["minions"], result["kept"]["minions"]) == (["m1"], ["away1"])
    assert result["jid"]
    status, only = keep(ann)
    assert (status, only["jid"], only["minions"]) == (202, "", [])

    orders = {one["order"]: one for one in ann.get("/mailbox")["items"]}
    assert orders[only["kept"]["order"]]["waiting"] == ["away1"]
    assert (orders[only["kept"]["order"]]["fun"], orders[only["kept"]["order"]]["user"]) == (
        "test.ping",
        "ann",
    )
    assert keep(bob, fun="cmd.run", arg=["id"])[0] == 403
    for seconds in (0, -1, 10**9):
        assert ann.call("POST", "/jobs", {"tgt": "away1", "fun": "test.ping", "when_back": seconds})[0] == 400
    for order in orders:
        assert ann.call("DELETE", f"/mailbox/{order}")[1]["dropped"] == order


def test_users_see_and_drop_their_own_orders(ann, bob):
    order = keep(ann)[1]["kept"]["order"]
    own = keep(bob)[1]["kept"]["order"]

    assert [one["order"] for one in bob.get("/mailbox")["items"]] == [own]
    assert bob.call("DELETE", f"/mailbox/{order}")[0] == 404
    assert bob.call("DELETE", f"/mailbox/{own}") == (200, {"dropped": own, "minions": 1})
    assert ann.call("DELETE", f"/mailbox/{order}")[0] == 200
    assert ann.get("/mailbox")["items"] == []


def test_a_lock_refuses_jobs_until_it_is_dropped(fleet, ann, bob, dan):
    assert bob.call("POST", "/locks", {"tgt": "m1", "reason": "mine", "seconds": 60})[0] == 403
    status, lock = dan.call("POST", "/locks", {"tgt": "m1", "reason": "moving disks", "seconds": 600})
    assert (status, lock["owner"]) == (201, "dan (sharedsecret)")
    shown = {one["id"]: one for one in bob.get("/locks")["items"]}
    assert shown[lock["id"]]["reason"] == "moving disks"
    assert shown["freeze:old"]["is_freeze"]

    status, result = ann.call("POST", "/jobs", {"tgt": "*", "fun": "cmd.run", "arg": ["true"]})
    assert status == 409
    assert "moving disks" in result["detail"]
    assert keep(ann, tgt="m1", fun="cmd.run", arg=["true"])[0] == 409
    job = {"tgt": "m1", "fun": "state.single", "arg": ["test.nop", "name=x"], "despite_lock": [lock["id"]]}
    assert ann.call("POST", "/jobs", job)[0] == 403
    assert bob.call("DELETE", f"/locks/{lock['id']}")[0] == 403
    assert dan.call("DELETE", "/locks/00000000")[0] in (403, 404)
    assert dan.call("DELETE", "/locks/freeze:old")[0] == 409
    assert dan.call("DELETE", f"/locks/{lock['id']}") == (200, {"dropped": lock["id"]})
    assert ann.call("POST", "/jobs", {"tgt": "m1", "fun": "cmd.run", "arg": ["true"]})[0] == 202


def test_the_command_line_and_the_api_show_the_same_locks(fleet, dan):
    def lock(*words):
        return outcome_of([Machine.program, "lock", *words, "-c", str(fleet[0].config_dir)])

    assert lock("m1", "--reason", "from here", "--until", "1h").code == 0
    [id] = [one["id"] for one in dan.get("/locks")["items"] if one["reason"] == "from here"]
    assert dan.call("DELETE", f"/locks/{id}")[0] == 403
    assert lock("drop", id).code == 0
    assert id not in [one["id"] for one in dan.get("/locks")["items"]]


@pytest.mark.parametrize(
    "body", [{}, {"tgt": "m1", "reason": "x"}, {"tgt": "m1", "reason": "", "seconds": 9}]
)
def test_a_lock_without_target_reason_or_end_is_refused(ann, body):
    assert ann.call("POST", "/locks", body)[0] in (400, 403)
