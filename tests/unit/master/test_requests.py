"""Requests of port 4506: sign-ins, sealed requests, clear ones."""

import secrets
import time

import pytest

from salt_g.errors import SealBroken, WireError
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore
from salt_g.master.admission.sessions import MinionSessions, SessionTable
from salt_g.master.commands import ANY, WireCommand
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.requests import LARGE, Requests
from salt_g.master.settings import RequestSettings
from salt_g.transport.protocols import Arrival, Unanswered
from salt_g.wire.aes import Crypticle
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import pack
from salt_g.wire.requests import make_tok, open_reply, seal_request

SETTINGS = RequestSettings(minimum_auth_version=3, request_server_ttl=300)
LOCAL, REMOTE = "127.0.0.1", "192.0.2.1"


class Master:
    """A request handler with the accepted minion m1, and the requests that reached its services."""

    def __init__(self, root, minion, other, publish_key):
        (root / ACCEPTED).mkdir()
        (root / ACCEPTED / "m1").write_text(minion.public.pem + "\n")
        files = KeyFiles(str(root))
        self.keys = KeyStore(files)
        self.minion, self.other = minion, other
        self.sessions = MinionSessions(SessionTable(), files, lifetime=100, on_end=lambda session: None)
        self.session = self.sessions.begin("m1", minion.public, now=time.monotonic()).ring.current.crypticle
        self.did, self.checked, self.within = [], [], lambda: None
        self.requests = Requests(
            SETTINGS,
            sessions=self.sessions,
            publish_keys=PublishKeys(publish_key),
            commands={"echo": WireCommand(self.echo, {"value": ANY})},
            sign_in=lambda envelope, arrival: b"signed in",
            clear=lambda load, arrival: b"clear " + str(load["cmd"]).encode(),
            is_local=lambda address: address == LOCAL,
            check=lambda session, request: self.checked.append((session.id, request.id)),
            most_of_one=1,
        )

    def echo(self, request, load):
        self.did.append((request.id, load.get("value")))
        self.within()
        return load.get("value")

    def ask(self, value="x", *, id="m1", key=None, session=None, cmd="echo", now=None, **more):
        nonce = secrets.token_hex(16)
        payload = seal_request(
            {"cmd": cmd, "value": value, **more},
            id,
            session or self.session,
            nonce=nonce,
            now=time.time() if now is None else now,
            tok=make_tok(key or self.minion),
        )
        return open_reply(self.requests(Arrival(payload, REMOTE)), self.session, nonce)


@pytest.fixture
def master(tmp_path, minion_key, other_key, master_key):
    return Master(tmp_path, minion_key, other_key, master_key)


def clear(load, address):
    return Arrival(seal_clear(load), address)


def test_a_minion_is_answered_under_its_session(master):
    assert master.ask({"a": [1]}) == {"a": [1]}

    assert (master.did, master.checked) == ([("m1", {"a": [1]})], [("m1", "m1")])


def test_large_requests_and_replies_are_the_same(master):
    value = "x" * (4 * LARGE)

    assert master.ask(value) == value


@pytest.mark.parametrize("size", [1, 4 * LARGE])
def test_a_peer_without_the_minions_proof_reaches_no_command(master, size):
    value = "x" * size

    for forged in (
        {"session": Crypticle.generate()},
        {"key": master.other},
        {"id": "m2"},
        {"now": time.time() - 10_000},
    ):
        with pytest.raises(WireError):
            master.ask(value, **forged)
    assert master.did == []


def test_a_request_that_comes_twice_is_served_once(master):
    payload = seal_request(
        {"cmd": "echo"}, "m1", master.session, nonce="a" * 32, now=time.time(), tok=make_tok(master.minion)
    )
    master.requests(Arrival(payload, REMOTE))

    with pytest.raises(WireError):
        master.requests(Arrival(payload, REMOTE))
    assert len(master.did) == 1


def test_the_session_of_a_deleted_key_opens_nothing(master):
    master.keys.delete("m1")

    with pytest.raises((SealBroken, WireError)):
        master.ask()
    assert master.did == []


def test_one_minion_has_no_more_requests_at_once_than_its_share(master):
    master.within = lambda: master.within_again() if len(master.did) == 1 else None

    def again():
        with pytest.raises(Unanswered, match="m1 has 1 open requests"):
            master.ask("second")

    master.within_again = again
    assert master.ask("first") == "first"
    assert master.did == [("m1", "first")]
    # Its share is free again.
    assert master.ask("third") == "third"


def test_a_command_that_fails_gives_its_share_back(master):
    def fail():
        raise ValueError("x")

    master.within = fail
    assert master.ask() == ""
    master.within = lambda: None

    assert master.ask("well") == "well"


def test_unknown_commands_are_answered_with_nothing(master):
    assert master.ask(cmd="_nothing") == {}
    assert master.did == []


def test_sign_ins_and_clear_commands_go_their_ways(master):
    assert master.requests(clear({"cmd": "publish"}, LOCAL)) == b"clear publish"
    with pytest.raises(WireError, match="a malformed sign-in of"):
        master.requests(clear({"cmd": "_auth", "pub": "x" * 1_000_000}, LOCAL))


def test_large_clear_requests_are_for_this_host_only(master):
    load = {"cmd": "publish", "arg": ["x" * (64 * LARGE)]}

    assert master.requests(clear(load, LOCAL)) == b"clear publish"
    with pytest.raises(WireError):
        master.requests(clear(load, REMOTE))


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x80", b"\x91\x01", b"\x93" * 50_000], ids=len)
def test_a_malformed_envelope_is_refused(master, payload):
    with pytest.raises(WireError):
        master.requests(Arrival(payload, REMOTE))
    assert master.did == []


def test_older_protocols_are_refused_where_the_settings_say_so(master):
    sealed = {"enc": "aes", "load": master.session.seal({"cmd": "echo", "id": "m1"}), "version": 2}

    for payload in (seal_clear({"cmd": "publish"}, version=2), pack(sealed)):
        with pytest.raises(WireError, match="below minimum_auth_version 3"):
            master.requests(Arrival(payload, LOCAL))
    assert master.did == []
