"""Returns: one counts only for an id its job was published to; the first stays (property 2)."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.peers import Peer, ask_socket, publish, run

#: Last event that a test fires, to know that all earlier ones have been fired.
END = "end/of/test"


def ret(jid, value, **more):
    """Return the load of a return."""
    return {
        "cmd": "_return",
        "jid": jid,
        "fun": "test.ping",
        "return": value,
        "retcode": 0,
        "success": True,
        **more,
    }


def events_text(follower, peer):
    """Return the events so far as text."""
    peer.ask({"cmd": "_minion_event", "tag": END, "data": {}})
    return json.dumps(follower(END), default=str)


def lookup(master, jid):
    return run(master, "run", "jobs.lookup_jid", jid, "--out=json").out


@pytest.fixture
def pair_of(shared_master):
    """Return (a minion without a job, a minion with a job)."""
    return Peer(shared_master, "liar", 0).sign_in(), Peer(shared_master, "asked", 1).sign_in()


def test_a_return_for_another_minions_job_is_not_an_answer(shared_master, pair_of, follow):
    hostile_peer, addressee = pair_of
    jid = publish(shared_master, "test.ping", tgt="asked")["jid"]
    follower = follow(shared_master)

    hostile_peer.ask(ret(jid, "FORGED"))
    addressee.ask(ret(jid, "honest"))

    events = events_text(follower, addressee)
    assert "honest" in events
    assert "FORGED" not in events
    assert json.loads(lookup(shared_master, jid)) == {"asked": "honest"}
    assert f"liar returned job {jid}, which was not published to it" in shared_master.log()


@pytest.mark.parametrize("jid", ["20200101000000000000", "29990101000000000000", "20200101000000000000_7"])
def test_an_unsolicited_return_is_kept_apart_and_announced_to_nobody(shared_master, pair_of, follow, jid):
    hostile_peer, _ = pair_of
    follower = follow(shared_master)

    hostile_peer.ask(ret(jid, "FORGED", fun="state.apply", user="root"))

    assert "FORGED" not in events_text(follower, hostile_peer)
    assert "FORGED" not in lookup(shared_master, jid)
    assert jid not in run(shared_master, "run", "jobs.list_jobs").out
    assert f"liar returned job {jid}" in shared_master.log()


@pytest.mark.parametrize(
    "jid", ["", "new", "../../etc", "2020010100000000000", "20200101000000000000/ret/asked"]
)
def test_a_malformed_jid_is_not_a_job(shared_master, pair_of, follow, jid):
    hostile_peer, _ = pair_of
    follower = follow(shared_master)

    hostile_peer.ask(ret(jid, "FORGED"))

    assert "FORGED" not in events_text(follower, hostile_peer)


def test_the_first_return_stays_and_another_one_is_audited(shared_master, pair_of, follow):
    _, addressee = pair_of
    jid = publish(shared_master, "test.ping", tgt="asked")["jid"]
    addressee.ask(ret(jid, "first"))
    follower = follow(shared_master)

    addressee.ask(ret(jid, "second"))

    assert "second" not in events_text(follower, addressee)
    assert json.loads(lookup(shared_master, jid)) == {"asked": "first"}
    audit = f"audit: asked returned job {jid} a second time with another result"
    assert shared_master.log().count(audit) == 1


def test_a_repeated_return_is_not_a_second_one(shared_master, pair_of):
    _, addressee = pair_of
    jid = publish(shared_master, "test.ping", tgt="asked")["jid"]

    for _ in range(2):
        addressee.ask(ret(jid, "same"))

    assert json.loads(lookup(shared_master, jid)) == {"asked": "same"}
    assert f"job {jid} a second time" not in shared_master.log()


def test_the_command_line_shows_answers_only(shared_master, pair_of):
    hostile_peer, addressee = pair_of
    words = [PROGRAM, "cmd", "-c", str(shared_master.config_dir), "--show-jid", "asked", "test.ping"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as command:
        first = command.stdout.readline()
        jid = "".join(character for character in first if character.isdigit())

        hostile_peer.ask(ret(jid, "FORGED"))
        addressee.ask(ret(jid, "honest"))

        rest = command.stdout.read()
    assert command.returncode == 0, first + rest
    assert "honest" in rest
    assert "FORGED" not in rest
    assert "liar" not in rest


def test_a_job_of_its_own_gets_a_jid_of_the_masters(shared_master, pair_of):
    hostile_peer, _addressee = pair_of
    jid = publish(shared_master, "test.ping", tgt="asked")["jid"]

    hostile_peer.ask(ret("req", "own", tgt="asked", tgt_type="glob", arg=[], fun_args=[]))

    jobs = json.loads(run(shared_master, "run", "jobs.list_jobs", "--out=json").out)
    own = [job for job in jobs.values() if job["Target"] == "liar"]
    assert len(own) == 1
    assert lookup(shared_master, jid).strip() in ("{}", "")


def test_an_order_may_not_choose_a_jid_that_names_something_else(shared_master, pair_of):
    load = {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "ret": ""}

    for jid in ("x", "2026", "20261120000000000000/ret/asked", "20261120000000000000/../../x"):
        reply = ask_socket(shared_master, {**load, "jid": jid})
        assert "jid" not in reply.get("load", {}) or "error" in reply["load"], reply


def test_a_job_keeps_its_function_and_its_user(shared_master, pair_of):
    jid = publish(shared_master, "test.ping", tgt="asked")["jid"]
    load = {"cmd": "publish", "fun": "cmd.run", "arg": ["id"], "tgt": "*", "tgt_type": "glob", "ret": ""}

    assert "another job" in ask_socket(shared_master, {**load, "jid": jid})["load"]["error"]
