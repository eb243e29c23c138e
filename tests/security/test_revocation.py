"""Revocation: access ends with the key; a later minion of that id inherits nothing (property 7)."""

import contextlib
import os
import time

import pytest

from salt_g.errors import SaltGError, SealBroken
from tests.support.peers import Ear, Peer, publish, run

PUSHED = {"cmd": "_file_recv", "path": ["etc", "secret"], "loc": 0, "size": 6, "data": b"pushed"}


def ret(jid, value):
    return {"cmd": "_return", "jid": jid, "fun": "test.ping", "return": value, "retcode": 0, "success": True}


def leave_traces(peer):
    """Send, push and order everything a minion can; return the jid of its order."""
    peer.ask({"cmd": "_mine", "data": {"secret": "old"}})
    peer.ask(PUSHED)
    with contextlib.suppress(SaltGError):
        # The response is sealed for the minion's key and not needed here.
        peer.ask({"cmd": "_pillar", "grains": {"role": "old"}, "ver": "2"})
    order = {"cmd": "minion_pub", "fun": "test.ping", "arg": [], "tgt": peer.id, "ret": ""}
    jid = peer.ask(order)["jid"]
    peer.ask(ret(jid, "old"))
    assert peer.ask({"cmd": "pub_ret", "jid": jid}) == {peer.id: {"ret": "old"}}
    return jid


def assert_nothing_left(heir, jid):
    """Check that a new minion of the id finds nothing of `leave_traces`."""
    master = heir.master
    assert heir.ask({"cmd": "_mine_get", "tgt": heir.id, "fun": "secret"}) == {}
    assert heir.ask({"cmd": "pub_ret", "jid": jid}) == {}
    assert not (master.cachedir / "minions" / heir.id / "files").exists()
    assert "old" not in run(master, "run", "cache.grains", f"tgt={heir.id}").out
    role = {"cmd": "_mine_get", "tgt": "role:old", "tgt_type": "grain", "fun": "secret"}
    assert heir.ask(role) == {}


@pytest.fixture
def open_master(start_master):
    """Return a master that accepts pushed files, and orders of every minion."""
    return start_master(file_recv=True, peer={".*": ["test.ping"]})


def test_a_later_minion_of_an_id_finds_nothing_of_the_first(open_master):
    gone = Peer(open_master, "m1", 0).sign_in()
    jid = leave_traces(gone)

    run(open_master, "key", "-d", "m1", "-y")
    heir = Peer(open_master, "m1", 1).sign_in()

    assert_nothing_left(heir, jid)
    with pytest.raises(SealBroken):
        gone.ask({"cmd": "_file_envs"})


def test_nor_when_another_program_removed_the_key(open_master):
    jid = leave_traces(Peer(open_master, "m1", 0).sign_in())

    os.unlink(open_master.pki_dir / "minions" / "m1")
    heir = Peer(open_master, "m1", 1).sign_in()

    assert_nothing_left(heir, jid)


def test_nor_when_the_key_went_while_no_master_ran(open_master):
    gone = Peer(open_master, "m1", 0).sign_in()
    jid = leave_traces(gone)

    open_master.stop()
    assert run(open_master, "key", "-d", "m1", "-y").code == 0
    open_master.start()
    with pytest.raises(SealBroken):
        gone.ask({"cmd": "_file_envs"})
    heir = Peer(open_master, "m1", 1).sign_in()

    assert_nothing_left(heir, jid)


def test_a_job_for_the_first_is_not_answered_by_the_second(master):
    Peer(master, "m1", 0).sign_in()
    jid = publish(master, "test.ping", tgt="m1")["jid"]

    run(master, "key", "-d", "m1", "-y")
    Peer(master, "m1", 1).sign_in().ask(ret(jid, "FORGED"))

    assert "FORGED" not in run(master, "run", "jobs.lookup_jid", jid).out
    assert f"m1 returned job {jid}, which was not published to it" in master.log()


def test_a_minion_that_signs_in_again_keeps_what_is_its_own(open_master):
    peer = Peer(open_master, "m1", 0).sign_in()
    jid = leave_traces(peer)

    open_master.stop()
    open_master.start()
    again = Peer(open_master, "m1", 0).sign_in()

    # What is stamped with the second of the restart or an earlier one counts as a replay.
    later = time.time() + 2
    assert again.ask({"cmd": "_mine_get", "tgt": "m1", "fun": "secret"}, now=later) == {"m1": "old"}
    assert again.ask({"cmd": "pub_ret", "jid": jid}, now=later) == {"m1": {"ret": "old"}}


@pytest.mark.parametrize("words", [["-d", "gone", "-y"], ["-r", "gone", "--include-accepted", "-y"]])
def test_a_revoked_minion_reads_no_later_job(master, words):
    gone, stays = Peer(master, "gone", 0).sign_in(), Peer(master, "stays", 1).sign_in()
    ear = Ear(master)

    assert run(master, "key", *words).code == 0
    key = stays.sign_in().grant.publish
    publish(master, "test.echo", "SECRET", tgt="stays")
    publish(master, "test.echo", "last", tgt="stays")

    read = ear.opened(gone.grant.publish, last=key)
    ear.close()
    assert "SECRET" not in str(read)
    assert {job["fun"] for job in read} <= {"test.ping", "event.fire_master"}


def test_a_key_that_another_program_removed_reads_no_later_job(master):
    gone, stays = Peer(master, "gone", 0).sign_in(), Peer(master, "stays", 1).sign_in()
    ear = Ear(master)

    os.unlink(master.pki_dir / "minions" / "gone")
    publish(master, "test.echo", "SECRET", tgt="stays")
    publish(master, "test.echo", "last", tgt="stays")

    read = ear.opened(gone.grant.publish, last=stays.sign_in().grant.publish)
    ear.close()
    assert "SECRET" not in str(read)
