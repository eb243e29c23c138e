"""Logins: a token is a secret of its own; a failure reveals nothing else, after a delay (property 11)."""

import hashlib
import json
import stat
import threading
import time

import pytest

from tests.support.peers import Peer, ask_clear, publish

NOT_AUTHENTICATED = {"error": {"name": "AuthenticationError", "message": "Authentication error occurred."}}
LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "geheim"}
JOB = {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "*", "ret": "", "jid": ""}
#: Minimum duration of a failed login (s).
WAIT = 0.75


@pytest.fixture(scope="module")
def gate(fleet):
    """Return a master where fred and eve can log in."""
    master = fleet[0](
        external_auth={"sharedsecret": {"fred": ["test.*"], "eve": ["status.*"]}, "file": {"fred": [".*"]}},
        sharedsecret="geheim",
        token_expire=1000,
    )
    Peer(master, "m1", 0).sign_in()
    return master


def token_of(master, **changes):
    """Return a new token; a successful login also resets the delays of earlier failures."""
    return ask_clear(master, {"cmd": "mk_token", **LOGIN, **changes})


def kept(master, token):
    return master.cachedir / "tokens" / hashlib.sha256(token.encode()).hexdigest()


def test_a_token_has_256_bits_and_only_its_digest_is_kept(gate):
    one, other = token_of(gate)["token"], token_of(gate)["token"]

    assert one != other
    assert len(bytes.fromhex(one)) == 32
    assert one not in kept(gate, one).read_text()
    assert stat.S_IMODE(kept(gate, one).stat().st_mode) == 0o600
    assert stat.S_IMODE((gate.cachedir / "tokens").stat().st_mode) == 0o700
    assert ask_clear(gate, {**JOB, "kwargs": {"token": kept(gate, one).name}}) == NOT_AUTHENTICATED


def test_a_token_ends(gate):
    made = token_of(gate, token_expire=10**9)
    assert 900 < made["expire"] - made["start"] < 1100
    file = kept(gate, made["token"])
    file.write_text(json.dumps({**json.loads(file.read_text()), "expire": time.time() - 1}))

    assert ask_clear(gate, {**JOB, "kwargs": {"token": made["token"]}}) == NOT_AUTHENTICATED

    assert not file.exists()


def test_a_token_has_the_identity_of_its_user(gate):
    token = token_of(gate, username="eve")["token"]
    proof = {"token": token, "username": "fred", "user": "root", "auth_list": [".*"], "name": "fred"}

    refused = ask_clear(gate, {**JOB, "kwargs": proof, "user": "root"})
    allowed = ask_clear(gate, {**JOB, "fun": "status.uptime", "kwargs": proof, "user": "root"})

    assert refused["error"]["name"] == "AuthorizationError"
    assert allowed["load"]["minions"] == ["m1"]
    assert f"job {allowed['load']['jid']} of eve: status.uptime" in gate.log()


@pytest.mark.parametrize("token", ["x", "../../.root_key", "f" * 64, "f" * 63 + "\n", ["x"]])
def test_a_forged_token_gives_no_access(gate, token):
    token_of(gate)

    assert ask_clear(gate, {**JOB, "kwargs": {"token": token}}) == NOT_AUTHENTICATED


@pytest.mark.parametrize(
    "change",
    [
        {"password": "wrong"},
        {"username": "nobody-here", "password": "wrong"},
        {"password": None},
        {"eauth": "file"},
        {"eauth": "no_such"},
    ],
)
def test_whatever_is_wrong_with_a_login_looks_the_same(gate, change):
    token_of(gate)

    began = time.monotonic()
    answer = ask_clear(gate, {**JOB, "kwargs": {**LOGIN, **change}})
    took = time.monotonic() - began

    assert answer == NOT_AUTHENTICATED
    assert took > WAIT


def test_a_user_without_permissions_learns_so_after_the_login(gate):
    stranger = {**LOGIN, "username": "mallory"}

    assert ask_clear(gate, {**JOB, "kwargs": stranger})["error"]["name"] == "AuthorizationError"


def test_failures_wait_longer_and_keep_nobody_else_waiting(gate):
    token_of(gate)
    answers = []
    wrong = {**JOB, "kwargs": {**LOGIN, "password": "wrong"}}
    threads = [threading.Thread(target=lambda: answers.append(ask_clear(gate, wrong))) for _ in range(2)]
    for thread in threads:
        thread.start()

    assert publish(gate, "test.ping")["minions"] == ["m1"]
    assert len(answers) < 2
    for thread in threads:
        thread.join(60)

    assert answers == [NOT_AUTHENTICATED] * 2
    assert publish(gate, "test.ping")["minions"] == ["m1"]


def test_an_authentication_module_is_one_of_a_list(start_master):
    master = start_master(external_auth={"os.path": {"*": [".*"]}, "logins": {"*": [".*"]}})

    for name in ("os.path", "logins"):
        assert ask_clear(master, {"cmd": "mk_token", **LOGIN, "eauth": name}) == ""

    assert "unknown module 'os.path'" in master.log()


def test_wrong_logins_in_flight_lock_out_nobody(gate):
    wrong = {**JOB, "kwargs": {**LOGIN, "password": "wrong"}}
    threads = [threading.Thread(target=ask_clear, args=(gate, wrong)) for _ in range(8)]
    for thread in threads:
        thread.start()
    while sum("failed" in line for line in gate.log().splitlines()) < 1:
        threads[0].join(0.01)

    other, same = token_of(gate, username="eve"), token_of(gate)

    assert [other["name"], same["name"]] == ["eve", "fred"]
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)


def test_a_user_has_a_hundred_tokens_at_most(gate):
    first = token_of(gate, username="mallory")["token"]
    last = [token_of(gate, username="mallory")["token"] for _ in range(105)][-1]

    owners = [json.loads(path.read_text())["name"] for path in (gate.cachedir / "tokens").iterdir()]
    assert owners.count("mallory") == 100
    assert not kept(gate, first).exists()
    assert kept(gate, last).exists()
