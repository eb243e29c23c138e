"""Tags that a minion may fire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.data.minion_tags import RESERVED, is_job, may_fire, refused_tags, why_refused

JID = "20260102030405678901"


@pytest.mark.parametrize(
    "tag",
    [
        "minion_start",
        "minion_ping",
        "_salt_error",
        "salt/minion/m1/start",
        "salt/beacon/m1/load/",
        "salt/beacon/m1/inotify//etc/passwd",
        "salt/engines/hook/m1/github/push",
        f"salt/job/{JID}/prog/m1/3",
        f"salt/job/{JID}_77/prog/m1/3",
        f"salt/job/{JID}/start/m1",
        f"salt/state_result/{JID}/m1/web server",
        "my/own/event",
        "deploy",
        "saltshaker/x",
    ],
)
def test_a_minion_may_fire_these(tag):
    assert may_fire(tag, "m1")


@pytest.mark.parametrize(
    "tag",
    [
        "salt/minion/m2/start",
        "salt/beacon/m2/load/",
        "salt/beacon/m1",
        "salt/engines/hook/m2/github",
        "salt/engines/hook/github",
        f"salt/job/{JID}/prog/m2/3",
        f"salt/job/{JID}/ret/m1",
        f"salt/job/{JID}/new",
        f"salt/job/{JID}/start/m2",
        f"salt/job/{JID}x/prog/m1/1",
        "salt/job/x/prog/m1/1",
        f"salt/state_result/{JID}/m2/x",
        "salt/auth",
        "salt/key",
        "salt/run/x/ret",
        "salt/wheel/x/ret",
        "salt/presence/change",
        "salt/cloud/vm/created",
        "salt/minion/m1/start/more",
        "salt",
        "salt/",
        " salt/auth",
        "/salt/auth",
        "key",
        "key/x",
        "syndic/m1/salt/auth",
        "minion/refresh/m1",
        "resource/refresh/m1",
        "__master_req_channel_payload",
        "_anything",
        JID,
        f"{JID}/x",
        "",
        "a\nb",
        "a\0",
        "ünï",
        "x" * 1025,
        None,
        7,
        b"deploy",
        ["deploy"],
    ],
)
def test_these_it_may_not(tag):
    assert not may_fire(tag, "m1")


PARTS = st.sampled_from(
    [
        "salt",
        "job",
        JID,
        "prog",
        "ret",
        "new",
        "m1",
        "m2",
        "beacon",
        "minion",
        "start",
        "auth",
        "key",
        "",
        "x",
    ]
)


@given(st.lists(PARTS, min_size=1, max_size=7))
def test_a_tag_in_the_masters_form_contains_the_senders_own_id(parts):
    tag = "/".join(parts)

    if may_fire(tag, "m1") and parts[0] in RESERVED:
        assert parts[1] in ("minion", "beacon", "job", "state_result")
        assert parts[2 if parts[1] in ("minion", "beacon") else 4 if parts[1] == "job" else 3] == "m1"


def test_a_refusal_says_what_to_do():
    assert "below 'salt' belong to the daemons" in why_refused("salt/auth")
    assert why_refused("ünï") == why_refused("") == "a tag must be 1 to 1024 printable ASCII characters"


@pytest.mark.parametrize("reply", [None, True, {}, {"refused": "salt/auth"}, {"pause": 1}])
def test_other_replies_refuse_nothing(reply):
    assert refused_tags(reply) == []
    assert refused_tags({"refused": ["salt/auth", 7]}) == ["salt/auth", "7"]


def test_a_job_id_may_have_a_suffix():
    assert [is_job(part) for part in (JID, f"{JID}_77", f"{JID}x", f"{JID}_", "x")] == [
        True,
        True,
        False,
        False,
        False,
    ]
