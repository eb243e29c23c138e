"""Identity proved by keys, and immediate revocation (properties 1, 6, 7, 8 and 13)."""

import os
import time

import pytest

from salt_g.errors import SealBroken, SignInRefused
from salt_g.wire.packing import unpack
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_raw, publish, run


def test_a_load_cannot_speak_for_another_id(master):
    """Property 1: only the session's key proves an identity."""
    hostile_peer, victim = Peer(master, "liar", 0).sign_in(), Peer(master, "victim", 1).sign_in()
    jid = publish(master, "test.ping", tgt="victim")["jid"]
    ret = {
        "cmd": "_return",
        "jid": jid,
        "fun": "test.ping",
        "return": "stolen",
        "retcode": 0,
        "success": True,
    }

    with pytest.raises(SealBroken):
        hostile_peer.ask_as(ret, "victim")
    with pytest.raises(SealBroken):
        hostile_peer.ask(ret, id="victim")
    victim.ask({**ret, "return": "mine"})

    assert "stolen" not in run(master, "run", "jobs.lookup_jid", jid).out
    assert "victim" in master.log()


def test_another_keys_token_opens_nothing(master):
    """Property 1: only the session's key proves an identity."""
    hostile_peer = Peer(master, "liar", 0).sign_in()
    Peer(master, "victim", 1).sign_in()

    with pytest.raises(SealBroken):
        hostile_peer.ask({"cmd": "_master_opts"}, tok=b"x" * 256)


def test_ids_that_are_not_names_of_files_are_refused(master):
    """Property 6: ids have one of few forms."""
    for id in ("../x", "a/b", ".hidden", "-dash", "a\nb", "a\0b", "x" * 300, "naïve", ""):
        payload_of = Peer(master, id or " ", 0)
        with pytest.raises((SignInRefused, SealBroken)):
            payload_of.sign_in()

    found = {path.name for state in master.pki_dir.glob("minions*") for path in state.iterdir()}
    assert found == set()


def test_a_deleted_key_is_cut_off_before_the_command_returns(master):
    """Property 7: access ends with the key."""
    peer = Peer(master, "m1", 0).sign_in()
    assert peer.ask({"cmd": "_file_envs"}) == ["base"]

    done = run(master, "key", "-d", "m1", "-y")

    assert done.code == 0, done.err
    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_file_envs"})
    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_return", "jid": "20200101000000000000", "fun": "x", "return": 1})


def test_a_rejected_key_is_cut_off_too_and_stays_out(master):
    """Property 7: access ends with the key."""
    peer = Peer(master, "m1", 0).sign_in()

    run(master, "key", "-r", "m1", "--include-accepted", "-y")

    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_file_envs"})
    with pytest.raises(SignInRefused, match="rejected"):
        peer.sign_in()


def test_a_key_removed_from_the_directory_counts_from_the_next_request(master):
    """Property 7: access ends with the key."""
    peer = Peer(master, "m1", 0).sign_in()

    os.unlink(master.pki_dir / "minions" / "m1")

    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_file_envs"})


def test_nothing_new_is_readable_with_what_a_deleted_minion_knows(master):
    """Property 7: access ends with the key."""
    gone, stays = Peer(master, "gone", 0).sign_in(), Peer(master, "stays", 1).sign_in()
    run(master, "key", "-d", "gone", "-y")

    publish(master, "test.ping", tgt="stays")
    again = Peer(master, "stays", 1).sign_in()

    assert again.grant.publish.text != gone.grant.publish.text
    assert stays.ask({"cmd": "_file_envs"}) == ["base"]


def test_a_second_key_for_an_accepted_id_changes_nothing_for_the_first(master):
    """Property 7: access ends with the key."""
    first = Peer(master, "m1", 0).sign_in()
    second = Peer(master, "m1", 1)

    with pytest.raises(SignInRefused, match="rejected"):
        second.sign_in()

    assert first.ask({"cmd": "_file_envs"}) == ["base"]
    listed = run(master, "key", "-l", "denied")
    assert listed.out.split() == ["Denied", "Keys:", "m1"]
    assert "another key of this id is accepted" in listed.err
    assert (master.pki_dir / "minions" / "m1").read_text().strip() == pair(0).public.pem


def test_a_minion_accepted_later_under_the_id_inherits_nothing(master):
    """Property 7: access ends with the key."""
    Peer(master, "m1", 0).sign_in().ask({"cmd": "_mine", "data": {"secret": "old"}})

    run(master, "key", "-d", "m1", "-y")
    heir = Peer(master, "m1", 1).sign_in()

    assert heir.ask({"cmd": "_mine_get", "tgt": "m1", "fun": "secret"}) == {}


def test_a_pending_minion_may_come_again_and_nothing_else(start_master):
    """Property 8: a pending minion may only repeat its sign-in."""
    master = start_master(auto_accept=False)
    peer = Peer(master, "m1", 0)

    for _ in range(2):
        with pytest.raises(SignInRefused, match="pending"):
            peer.sign_in()
    from salt_g.wire.aes import Crypticle, new_key_text

    guess = Crypticle(new_key_text())
    answer = unpack(ask_raw(master.ret_port, peer.seal({"cmd": "_file_envs"}, session=guess)))

    assert isinstance(answer, (str, dict))
    assert [path.name for path in (master.pki_dir / "minions_pre").iterdir()] == ["m1"]
    assert not (master.cachedir / "sessions").exists()


def test_a_pending_minion_gets_in_when_it_is_accepted(start_master):
    """Property 8: a pending minion may only repeat its sign-in."""
    master = start_master(auto_accept=False)
    peer = Peer(master, "m1", 0)
    with pytest.raises(SignInRefused):
        peer.sign_in()

    run(master, "key", "-A", "-y")

    assert peer.sign_in().ask({"cmd": "_file_envs"}) == ["base"]


def test_a_request_is_served_once(master):
    """Property 13: a request is served once, in its time."""
    peer = Peer(master, "m1", 0).sign_in()
    payload = peer.seal({"cmd": "_minion_event", "tag": "once", "data": {}})
    first = ask_raw(master.ret_port, payload)

    again = ask_raw(master.ret_port, payload)

    assert again != first
    assert len(again) < 64


def test_an_old_time_stamp_is_refused_where_a_limit_is_set(start_master):
    """Property 13: a request is served once, in its time."""
    master = start_master(request_server_ttl=60)
    peer = Peer(master, "m1", 0).sign_in()

    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_file_envs"}, now=time.time() - 3600)
    assert peer.ask({"cmd": "_file_envs"}) == ["base"]


def test_an_operator_may_keep_the_publish_key_and_the_data(master):
    """Property 7: access ends with the key."""
    gone, stays = Peer(master, "gone", 0).sign_in(), Peer(master, "stays", 1).sign_in()
    gone.ask({"cmd": "_mine", "data": {"fact": "old"}})

    run(master, "key", "-d", "gone", "-y", "--rotate-aes-key=False", "--preserve-minions=True")

    assert Peer(master, "stays", 1).sign_in().grant.publish.text == stays.grant.publish.text
    heir = Peer(master, "gone", 0).sign_in()
    assert heir.ask({"cmd": "_mine_get", "tgt": "gone", "fun": "fact"}) == {"gone": "old"}
