"""Enrolment codes: a one-time code admits exactly one key, and eavesdroppers and liars gain nothing."""

import concurrent.futures
import json
import time

import pytest

from salt_g.errors import SignInRefused
from salt_g.wire.invitation import GRAIN, offer, read_code
from tests.support.key_pairs import pair
from tests.support.peers import Peer, run


def invite(master, *words):
    """Return the code printed by the operator's command."""
    made = run(master, "key", "invite", *words)
    assert made.code == 0, made.err
    return read_code(made.out.split()[-1])


def expire(master, code):
    path = master.pki_dir / "invitations"
    kept = json.loads(path.read_text())
    kept["invitations"][code.number]["expires"] = time.time() - 60
    path.write_text(json.dumps(kept))


def offered(code, id, number):
    return {GRAIN: offer(code, id, pair(number).public.pem)}


def is_let_in(peer, grains):
    try:
        peer.sign_in(autosign_grains=grains)
    except SignInRefused as exc:
        assert exc.reason == "pending"
        return False
    return True


@pytest.fixture
def master(start_master):
    return start_master(auto_accept=False)


def test_a_code_lets_in_one_minion(master):
    code = invite(master)

    assert is_let_in(Peer(master, "web1", 0), offered(code, "web1", 0))
    assert not is_let_in(Peer(master, "web2", 1), offered(code, "web2", 1))
    listed = run(master, "key", "-L")
    assert "web2: invitation" in listed.err and "it was used by web1" in listed.err
    assert master.log().count("is refused: it was used by web1") == 1


def test_of_minions_that_come_at_once_one_wins(master):
    code = invite(master)
    for number in range(4):
        pair(number)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        tries = [
            pool.submit(is_let_in, Peer(master, f"web{n}", n), offered(code, f"web{n}", n)) for n in range(4)
        ]

    assert [one.result() for one in tries].count(True) == 1
    assert len(list((master.pki_dir / "minions").iterdir())) == 1


def test_an_intercepted_proof_admits_no_other_key(master):
    code = invite(master, "--uses", "5")
    intercepted = offered(code, "web1", 0)
    assert is_let_in(Peer(master, "web1", 0), intercepted)

    assert not is_let_in(Peer(master, "evil", 1), intercepted)
    assert not is_let_in(Peer(master, "web2", 1), intercepted)


def test_a_code_does_not_replace_the_key_of_a_minion(master):
    code = invite(master, "--uses", "5")
    assert is_let_in(Peer(master, "web1", 0), offered(code, "web1", 0))

    with pytest.raises(SignInRefused, match="rejected"):
        Peer(master, "web1", 1).sign_in(autosign_grains=offered(code, "web1", 1))


def test_a_minion_that_was_deleted_stays_out(master):
    code = invite(master, "--uses", "5")
    assert is_let_in(Peer(master, "web1", 0), offered(code, "web1", 0))

    run(master, "key", "-d", "web1", "-y")

    assert not is_let_in(Peer(master, "web1", 0), offered(code, "web1", 0))


def test_an_invitation_for_one_id_an_expired_and_a_revoked_one_let_nobody_else_in(master):
    bound, short, revoked = invite(master, "--id", "web1"), invite(master), invite(master)
    run(master, "key", "invite", "--revoke", revoked.number)
    expire(master, short)

    assert not is_let_in(Peer(master, "web2", 0), offered(bound, "web2", 0))
    assert not is_let_in(Peer(master, "web3", 1), offered(short, "web3", 1))
    assert not is_let_in(Peer(master, "web4", 2), offered(revoked, "web4", 2))
    assert is_let_in(Peer(master, "web1", 3), offered(bound, "web1", 3))
    result = run(master, "key", "-L").err
    assert "it is for web1" in result and "it has expired" in result and "unknown invitation" in result


def test_offers_that_are_none_are_like_no_offer(master):
    for number, value in enumerate(("x", "a" * 8 + ":" + "0" * 64, 7, {"a": 1}, None, b"\xff" * 90)):
        assert not is_let_in(Peer(master, f"web{number}", 0), {GRAIN: value})


def test_a_key_that_a_stranger_offered_first_does_not_keep_the_invited_one_out(master):
    assert not is_let_in(Peer(master, "web1", 1), {})

    assert is_let_in(Peer(master, "web1", 0), offered(invite(master, "--id", "web1"), "web1", 0))


def test_the_invitations_of_the_master_are_private_and_contain_no_code(master):
    code = invite(master)

    text = (master.pki_dir / "invitations").read_text()

    assert code.number in text
    assert str(code).partition("-")[2] not in text
    assert (master.pki_dir / "invitations").stat().st_mode & 0o777 == 0o600
    assert str(code).partition("-")[2] not in run(master, "key", "invite", "--list").out


def test_it_is_reported_by_an_event_and_in_the_log(master, follow):
    code, up_to = invite(master), follow(master)

    assert is_let_in(Peer(master, "web1", 0), offered(code, "web1", 0))

    (event,) = [one for one in up_to("salt/key/invited") if one["tag"] == "salt/key/invited"]
    assert event["data"]["id"] == "web1" and event["data"]["invitation"] == code.number
    assert f"web1: key accepted: invitation {code.number} admits it" in master.log()
