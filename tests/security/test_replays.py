"""Replays: a request is served once, in its session and in its time (property 13)."""

import time

import pytest

from salt_g.errors import SealBroken
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import unpack
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_raw, publish, run

#: One load of each kind that a minion sends.
LOADS = [
    {"cmd": "_return", "jid": "20200101000000000000", "fun": "test.ping", "return": 1},
    {"cmd": "_minion_event", "tag": "once", "data": {}},
    {"cmd": "_minion_event", "events": [{"tag": "once", "data": {}}]},
    {"cmd": "_mine", "data": {"x": 1}},
    {"cmd": "_mine_get", "tgt": "*", "fun": "x"},
    {"cmd": "_mine_delete", "fun": "x"},
    {"cmd": "_mine_flush"},
    {"cmd": "_master_opts"},
    {"cmd": "_ext_nodes"},
    {"cmd": "_file_envs"},
    {"cmd": "_file_list", "saltenv": "base"},
    {"cmd": "_serve_file", "path": "x", "loc": 0, "saltenv": "base"},
    {"cmd": "_file_recv", "path": ["x"], "loc": 0, "data": b"x"},
    {"cmd": "_register_resources", "resources": {}},
    {"cmd": "minion_pub", "fun": "test.ping", "arg": [], "tgt": "*", "ret": ""},
    {"cmd": "minion_runner", "fun": "test.arg", "arg": []},
    {"cmd": "pub_ret", "jid": "20200101000000000000"},
    {"cmd": "no_such"},
]


def is_refusal(answer):
    """Return whether a response is one of the short plain refusal texts."""
    text = unpack(answer)
    return isinstance(text, str) and text.isprintable() and len(answer) < 64


@pytest.mark.parametrize("load", LOADS, ids=lambda load: load["cmd"])
def test_no_form_of_a_request_is_served_twice(shared_master, load):
    peer = Peer(shared_master, "m1", 0).sign_in()
    recorded = peer.seal(load)

    first = ask_raw(shared_master.ret_port, recorded)
    again = [ask_raw(shared_master.ret_port, recorded) for _ in range(2)]

    assert not is_refusal(first)
    assert all(map(is_refusal, again))


def test_a_replay_has_no_effect(shared_master):
    peer = Peer(shared_master, "m1", 0).sign_in()
    recorded = peer.seal({"cmd": "_mine", "data": {"fact": "old"}})
    ask_raw(shared_master.ret_port, recorded)
    peer.ask({"cmd": "_mine", "data": {"fact": "new"}})

    ask_raw(shared_master.ret_port, recorded)

    assert peer.ask({"cmd": "_mine_get", "tgt": "m1", "fun": "fact"}) == {"m1": "new"}


def test_a_request_belongs_to_its_session(shared_master):
    one, other = Peer(shared_master, "m1", 0).sign_in(), Peer(shared_master, "m2", 1).sign_in()
    load = {"cmd": "_file_envs"}

    with pytest.raises(SealBroken):
        one.ask(load, id="m2")
    with pytest.raises(SealBroken):
        one.ask(load, session=other.grant.session)
    nonce = "1" * 32
    answers = [ask_raw(shared_master.ret_port, peer.seal(load, nonce=nonce)) for peer in (one, other)]
    assert not any(map(is_refusal, answers))


@pytest.mark.parametrize("cmd", ["_file_envs", "_pillar"])
def test_a_request_of_another_time_is_refused(start_master, cmd):
    peer = Peer(start_master(), "m1", 0).sign_in()
    load, port = {"cmd": cmd, "grains": {}, "ver": "2"}, peer.master.ret_port
    now = time.time()
    recorded = peer.seal(load, now=now - 600)
    assert not is_refusal(ask_raw(port, recorded))

    assert not is_refusal(ask_raw(port, peer.seal(load, now=now)))

    assert is_refusal(ask_raw(port, recorded))
    assert is_refusal(ask_raw(port, peer.seal(load, now=now - 600)))
    assert not is_refusal(ask_raw(port, peer.seal(load, now=now - 60)))


@pytest.mark.parametrize("now", [2.0**60, -(2.0**60), 10**17])
def test_a_time_stamp_is_a_time(shared_master, now):
    peer = Peer(shared_master, "m1", 0).sign_in()

    assert is_refusal(ask_raw(shared_master.ret_port, peer.seal({"cmd": "_file_envs"}, now=now)))


@pytest.mark.parametrize("nonce", ["x", "é" * 32, "1" * 31, "1" * 33])
def test_a_nonce_is_a_nonce(shared_master, nonce):
    peer = Peer(shared_master, "m1", 0).sign_in()

    assert is_refusal(ask_raw(shared_master.ret_port, peer.seal({"cmd": "_file_envs"}, nonce=nonce)))


@pytest.mark.parametrize("way", ["stop", "kill"])
def test_nothing_of_before_a_restart_is_served_after_it(start_master, way):
    master = start_master()
    peer = Peer(master, "m1", 0).sign_in()
    # Stamps are whole seconds: one that no master has seen yet would be a new request.
    now = time.time()
    served = peer.seal({"cmd": "_mine", "data": {"fact": "old"}}, now=now)
    ask_raw(master.ret_port, served)
    kept_back = peer.seal({"cmd": "_mine", "data": {"fact": "kept back"}}, now=now)

    getattr(master, way)()
    master.start()

    assert is_refusal(ask_raw(master.ret_port, served))
    assert is_refusal(ask_raw(master.ret_port, kept_back))


def test_a_sign_in_that_is_repeated_by_another_gives_nothing(shared_master):
    from salt_g.wire.auth_client import Trust, ask

    peer = Peer(shared_master, "m1", 0).sign_in()
    recorded, _ = ask("m1", pair(0).public, Trust(), nonce="0" * 32, token=b"")

    answers = [ask_raw(shared_master.ret_port, recorded) for _ in range(2)]

    assert peer.ask({"cmd": "_file_envs"}) == ["base"]
    assert all(peer.grant.session.text not in answer for answer in answers)
    assert all(peer.grant.publish.text not in answer for answer in answers)


def test_a_clear_command_needs_its_key_each_time(shared_master):
    Peer(shared_master, "m1", 0).sign_in()
    jid = publish(shared_master, "test.ping")["jid"]
    load = {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "*", "ret": "", "jid": jid}

    answer = unpack(ask_raw(shared_master.ret_port, seal_clear(load, version=3)))

    assert answer["error"]["name"] == "AuthenticationError"
    assert run(shared_master, "run", "jobs.list_jobs").code == 0
