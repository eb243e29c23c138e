"""Events of a minion: none can pass for another sender's, or is more than a value (property 14)."""

import pytest

from tests.support.peers import Peer, publish

#: Tags of the master, of another minion, or resembling these.
FORGED = [
    "salt/job/20260102030405678901/ret/m2",
    "salt/job/20260102030405678901/new",
    "salt/run/20260102030405678901/ret",
    "salt/auth",
    "salt/key",
    "key",
    "salt/minion/m2/start",
    "salt/beacon/m2/load/",
    "salt/beacon/m1x/load/",
    "salt/presence/change",
    "salt/reactors/manage/add",
    "/salt/key",
    "salt//key",
    "20260102030405678901",
    "syndic/m1/x",
    "",
    " salt/key",
    "salt/beacon/m1/\n\nsalt/key",
]


@pytest.mark.parametrize("shape", ["alone", "listed", "with a pretag"])
def test_tags_of_others_are_not_fired(shared_master, follow, shape):
    peer = Peer(shared_master, "m1", 0).sign_in()
    up_to = follow(shared_master)

    for tag in FORGED:
        loads = {
            "alone": {"tag": tag, "data": {"id": "m2"}},
            "listed": {"events": [{"tag": tag, "data": {"id": "m2"}}], "pretag": None},
            "with a pretag": {"events": [{"tag": "x", "data": {}}], "pretag": tag},
        }
        peer.ask({"cmd": "_minion_event", **loads[shape]})
    peer.ask({"cmd": "_minion_event", "tag": "end", "data": {}})

    fired = [event["tag"] for event in up_to("end")]
    assert [tag for tag in fired if tag not in ("end", "x")] == []


def test_an_event_has_the_id_of_its_sender(shared_master, follow):
    peer = Peer(shared_master, "m1", 0).sign_in()
    up_to = follow(shared_master)

    peer.ask({"cmd": "_minion_event", "tag": "end", "data": {"id": "m2"}, "id": "m2"})

    assert up_to("end")[-1]["data"]["id"] == "m1"


def test_events_in_a_list_are_the_senders_own(start_master, follow, tmp_path):
    sls = tmp_path / "react.sls"
    sls.write_text("tell:\n  runner.event.send:\n    - tag: reacted\n    - data: {to: {{ data['id'] }}}\n")
    master = start_master(reactor=[{"my/tag": [str(sls)]}])
    peer = Peer(master, "m1", 0).sign_in()
    up_to = follow(master)
    forged = {"id": "m2", "_stamp": "1999-01-01T00:00:00.000000", "said": 1}

    events = [{"tag": tag, "data": forged} for tag in ("my/tag", "salt/beacon/m1/load/")]
    peer.ask({"cmd": "_minion_event", "events": events, "pretag": None, "id": "m2"})

    result = {event["tag"]: event["data"] for event in up_to("my/tag", "salt/beacon/m1/load/", "reacted")}
    assert result["reacted"]["to"] == "m1"
    for tag in ("my/tag", "salt/beacon/m1/load/"):
        assert result[tag]["id"] == "m1"
        assert result[tag]["said"] == 1
        assert not result[tag]["_stamp"].startswith("1999")


@pytest.fixture(scope="module")
def reacting_master(fleet, tmp_path_factory):
    """Return a master that fires the text of an event, plain and quoted."""
    sls = tmp_path_factory.mktemp("reactions") / "react.sls"
    sls.write_text(
        "tell:\n  runner.event.send:\n    - args:\n      - tag: plain\n"
        "      - data:\n          text: {{ data['data'] }}\n"
        "again:\n  runner.event.send:\n    - args:\n      - tag: quoted\n"
        "      - data: {text: \"{{ data['data'] }}\"}\n"
    )
    return fleet[0](reactor=[{"my/tag": [str(sls)]}])


@pytest.mark.parametrize(
    "text",
    [
        "x\n    - tgt: '*'\nother:\n  runner.cmd.run:\n    - cmd: id",
        "{{ salt['cmd.run']('id') }}",
        "*",
        '", tgt: "*',
        "!!python/object:os.system",
        "&a [*a]",
    ],
)
def test_a_minions_text_is_a_plain_value_in_a_reaction(reacting_master, follow, text):
    peer = Peer(reacting_master, "m1", 0).sign_in()
    up_to = follow(reacting_master)

    peer.ask({"cmd": "_minion_event", "tag": "my/tag", "data": text})

    result = {event["tag"]: event["data"] for event in up_to("plain", "quoted")}
    assert result["plain"]["text"] == result["quoted"]["text"] == text


def test_progress_with_impossible_numbers_ends_no_master(start_master):
    master = start_master()
    hostile_peer = Peer(master, "liar").sign_in()
    jid = publish(master, "state.apply", tgt="liar")["jid"]
    for number in (float("nan"), float("inf"), 2**63):
        ret = {"__run_num__": 0, "__id__": "x", "result": True, "changes": {}, "duration": number}
        hostile_peer.ask({"cmd": "_minion_event", "tag": f"salt/job/{jid}/prog/liar/0", "data": {"ret": ret}})

    assert hostile_peer.ask({"cmd": "_file_envs"}) == ["base"]
    assert "jid" in publish(master, "test.ping", tgt="liar")
