"""Roles: no peer returns for a resource or as a syndic here, since no registry and no role permits it
(property 3).
"""

import json

import pytest

from tests.support.peers import Peer, ask_clear, publish, run

RET = {"cmd": "_return", "fun": "test.ping", "return": "FORGED", "retcode": 0, "success": True}


@pytest.fixture
def peer(shared_master):
    return Peer(shared_master, "m1", 0).sign_in()


@pytest.mark.parametrize("resource", ["m2", "m1", "switch:s1", "s1", "../x", "", "x" * 253])
def test_a_return_for_a_resource_is_kept_apart(shared_master, peer, follow, resource):
    Peer(shared_master, "m2", 1).sign_in()
    jid = publish(shared_master, "test.ping", tgt="*")["jid"]
    follower = follow(shared_master)

    peer.ask({**RET, "jid": jid, "resource_id": resource})
    peer.ask({"cmd": "_minion_event", "tag": "end/of/test", "data": {}})

    assert "FORGED" not in json.dumps(follower("end/of/test"), default=str)
    assert "FORGED" not in run(shared_master, "run", "jobs.lookup_jid", jid).out
    assert f"m1 returned job {jid} for {resource!r}" in shared_master.log() or not resource


@pytest.mark.parametrize("resource", [5, ["m2"], {"m2": 1}, "x" * 254, None])
def test_a_resource_has_a_name(shared_master, peer, resource):
    jid = publish(shared_master, "test.ping", tgt="m1")["jid"]

    assert peer.ask({**RET, "jid": jid, "resource_id": resource}) == ""
    assert "FORGED" not in run(shared_master, "run", "jobs.lookup_jid", jid).out


@pytest.mark.parametrize(
    "registered", [{"switch": ["s1"]}, {"minion": ["m2"]}, {"x": {"m2": {"role": "web"}}}]
)
def test_a_registration_makes_no_target(shared_master, peer, registered):
    peer.ask({"cmd": "_register_resources", "resources": registered, "resource_grains": {"m2": {"r": 1}}})

    for tgt, tgt_type in (("s1", "list"), ("s1", "glob"), ("T@switch", "compound"), ("r:1", "grain")):
        assert not set(publish(shared_master, "test.ping", tgt=tgt, tgt_type=tgt_type).get("minions", ())) & {
            "s1"
        }
    assert "audit: m1 may not register" in shared_master.log()


@pytest.mark.parametrize("cmd", ["_syndic_return", "_syndic_event", "_syndic_auth", "_syndic_mine"])
def test_syndic_commands_are_served_to_nobody(shared_master, peer, cmd):
    jid = publish(shared_master, "test.ping", tgt="m1")["jid"]
    load = {"jid": jid, "load": {}, "return": {"m2": {"return": "FORGED"}}, "id": "m1"}

    assert peer.ask({"cmd": cmd, **load}) == {}
    assert ask_clear(shared_master, {"cmd": cmd, **load}) == {}

    assert "FORGED" not in run(shared_master, "run", "jobs.lookup_jid", jid).out
