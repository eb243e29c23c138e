"""Events that a minion may fire."""

import pytest

from salt_g.event.minion_policy import MAX_EVENTS, events_of

JID = "20260102030405678901"


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
