"""What a minion may fire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.event.minion_policy import MAX_EVENTS, RESERVED, events_of, may_fire

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
def test_what_looks_like_the_masters_carries_the_senders_own_id_in_its_place(parts):
    tag = "/".join(parts)

    if may_fire(tag, "m1") and parts[0] in RESERVED:
        assert parts[1] in ("minion", "beacon", "job", "state_result")
        assert parts[2 if parts[1] in ("minion", "beacon") else 4 if parts[1] == "job" else 3] == "m1"


def test_an_event_sent_alone_is_its_load_under_the_id_of_the_session():
    load = {
        "cmd": "_minion_event",
        "id": "m2",
        "tag": "salt/minion/m1/start",
        "data": "Minion m1 started",
        "pretag": None,
        "ts": 1,
        "return": "forged",
        "_stamp": "forged",
    }

    fired, refused = events_of(load, "m1")

    assert fired == [
        (
            "salt/minion/m1/start",
            {
                "cmd": "_minion_event",
                "id": "m1",
                "tag": "salt/minion/m1/start",
                "data": "Minion m1 started",
                "pretag": None,
                "ts": 1,
            },
        )
    ]
    assert refused == []


def test_progress_keeps_the_jid_beside_its_data():
    load = {"cmd": "_minion_event", "tag": f"salt/job/{JID}/prog/m1/0", "data": {"len": 2}, "jid": JID}

    assert events_of(load, "m1")[0][0].data["jid"] == JID
    assert "jid" not in events_of({**load, "jid": {"a": 1}}, "m1")[0][0].data


def test_of_many_each_has_its_own_data_and_verdict():
    load = {
        "events": [
            {"tag": "salt/beacon/m1/load/", "data": {"1m": 1}},
            {"tag": "salt/auth", "data": {}},
            {"tag": "my/event"},
            {"tag": "my/text", "data": "text"},
            "nonsense",
        ],
        "tag": "salt/key",
        "data": {},
    }

    fired, refused = events_of(load, "m1")

    assert fired == [("salt/beacon/m1/load/", {"1m": 1}), ("my/event", {})]
    assert refused == ["salt/auth", "my/text", "None"]


def test_a_pretag_makes_no_other_tag():
    load = {"pretag": "salt", "events": [{"tag": "auth", "data": {}}]}

    assert events_of(load, "m1")[0] == [("auth", {})]


@pytest.mark.parametrize("events", [None, "text", {"a": 1}, []])
def test_events_that_are_not_lists_fire_nothing(events):
    assert events_of({"events": events, "tag": "deploy"}, "m1") == ([], [])


def test_one_load_fires_a_bounded_number():
    load = {"events": [{"tag": "deploy", "data": {}}] * (MAX_EVENTS + 5)}

    assert len(events_of(load, "m1")[0]) == MAX_EVENTS


@pytest.mark.parametrize("claimed", ["m2", "", None, 7, ["m1"], {"m1": 1}])
@pytest.mark.parametrize("tag", ["my/own/event", "salt/beacon/m1/load/", "minion_start", "deploy"])
def test_events_in_a_list_are_under_the_id_of_the_session(tag, claimed):
    events = [{"tag": tag, "data": {"id": claimed, "load": 1}}, {"tag": tag, "data": {}}, {"tag": tag}]

    fired, refused = events_of({"events": events, "id": "m2"}, "m1")

    assert [draft.data for draft in fired] == [{"id": "m1", "load": 1}, {}, {}]
    assert refused == []


@pytest.mark.parametrize("tag", [f"salt/job/{JID}/prog/m1/3", f"salt/state_result/{JID}/m1/web"])
def test_an_event_of_a_job_names_no_other_job(tag):
    other = "20260102030405678902"

    listed, _ = events_of({"events": [{"tag": tag, "data": {"jid": other}}]}, "m1")
    alone, _ = events_of({"tag": tag, "data": {}, "jid": other}, "m1")

    assert [draft.data["jid"] for draft in (*listed, *alone)] == [JID, JID]
