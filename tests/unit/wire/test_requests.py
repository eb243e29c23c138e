import dataclasses
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import SealBroken, WireError
from salt_g.wire import requests
from salt_g.wire.aes import Crypticle
from salt_g.wire.envelope import read_envelope
from salt_g.wire.packing import pack
from salt_g.wire.rsa import SIGNING
from salt_g.wire.sessions import KeyRing, SessionKey

NOW = 1_795_189_573.0


class Pair:
    """A minion and the data that a master keeps about it."""

    def __init__(self, key):
        self.key = key
        self.session = Crypticle.generate()
        self.ring = KeyRing(SessionKey(self.session), now=0)
        self.check = requests.TokenCheck(key.public)
        self.tok = requests.make_tok(key)
        self.count = 0

    def nonce(self):
        self.count += 1
        return f"{self.count:032x}"

    def seal(self, load, **settings):
        settings = {"nonce": self.nonce(), "now": NOW, "tok": self.tok, **settings}
        id = settings.pop("id", "m1")
        return requests.seal_request(load, id, settings.pop("session", self.session), **settings)

    def open(self, payload, **settings):
        envelope = read_envelope(payload)
        return requests.open_request(
            envelope, self.ring, self.check, **{"now": NOW, "clock": 0.0, **settings}
        )


@pytest.fixture
def pair(minion_key):
    return Pair(minion_key)


def test_a_request_arrives_with_its_proven_sender(pair):
    request = pair.open(pair.seal({"cmd": "_return", "return": {"a": [1, "ü"]}}))

    assert request.id == "m1"
    assert request.load == {"cmd": "_return", "return": {"a": [1, "ü"]}, "id": "m1", "ts": int(NOW)}


@given(st.dictionaries(st.text(), st.text() | st.integers(-1000, 1000) | st.lists(st.booleans())))
def test_every_load_survives_except_the_fields_of_the_session(minion_key, load):
    pair = Pair(minion_key)

    request = pair.open(pair.seal(load))

    own = ("id", "ts", "nonce", "tok")
    assert {k: v for k, v in request.load.items() if k not in own} == {
        k: v for k, v in load.items() if k not in own
    }


def test_a_caller_cannot_choose_the_fields_of_the_session(pair):
    request = pair.open(pair.seal({"cmd": "x", "id": "other", "nonce": "n", "tok": "t", "ts": 0}))

    assert request.load == {"cmd": "x", "id": "m1", "ts": int(NOW)}


def test_a_reply_goes_back_under_the_same_key_and_nonce(pair):
    request = pair.open(pair.seal({"cmd": "x"}, nonce="a" * 32))

    reply = requests.seal_reply(request, {"data": b"\xff", "dest": "top.sls"})

    assert requests.open_reply(reply, pair.session, "a" * 32) == {"data": b"\xff", "dest": "top.sls"}
    with pytest.raises(WireError, match="does not carry the nonce"):
        requests.open_reply(reply, pair.session, "b" * 32)


def test_file_data_stays_bytes(pair):
    request = pair.open(pair.seal({"cmd": "_serve_file"}, nonce="a" * 32))
    reply = requests.seal_reply(request, {"data": b"text"})

    assert requests.open_reply(reply, pair.session, "a" * 32, binary=("data",)) == {"data": b"text"}


def test_a_request_is_served_once(pair):
    payload = pair.seal({"cmd": "x"})
    pair.open(payload)

    with pytest.raises(WireError, match="second time"):
        pair.open(payload)


def test_a_request_for_pillar_may_come_again(pair):
    payload = pair.seal({"cmd": "_pillar"})

    for _ in range(2):
        assert pair.open(payload, replays=("_pillar",)).load["cmd"] == "_pillar"


def test_a_request_whose_sender_differs_inside_is_refused(pair):
    payload = pair.seal({"cmd": "x"}, id="m2")
    envelope = dataclasses.replace(read_envelope(payload), id="m1")

    with pytest.raises(WireError, match="m1: its request names the sender 'm2'"):
        requests.open_request(envelope, pair.ring, pair.check, now=NOW, clock=0.0)


def test_a_session_without_the_key_is_not_enough(pair, signing_key):
    for tok in (b"", b"x" * 256, requests.make_tok(signing_key), "salt"):
        with pytest.raises(WireError, match="does not prove"):
            pair.open(pair.seal({"cmd": "x"}, tok=tok))


def test_the_key_is_checked_once_and_then_compared(pair):
    assert pair.check(pair.tok)
    assert pair.check(pair.tok)
    assert not pair.check(pair.tok[:-1] + bytes([pair.tok[-1] ^ 1]))
    assert not pair.check(b"")


def test_another_session_breaks_the_seal(pair):
    with pytest.raises(SealBroken):
        pair.open(pair.seal({"cmd": "x"}, session=Crypticle.generate()))


@pytest.mark.parametrize("nonce", ["", "short", "x" * 33, 5, None, b"\xff" * 32, "ü" * 32])
def test_a_request_needs_a_nonce(pair, nonce):
    with pytest.raises(WireError):
        pair.open(pair.seal({"cmd": "x"}, nonce=nonce))


def test_an_old_request_is_refused_when_the_setting_says_so(pair):
    payload = pair.seal({"cmd": "x"}, now=NOW - 61)

    with pytest.raises(WireError, match="61 s old, but request_server_ttl is 60"):
        pair.open(payload, ttl=60)
    assert pair.open(payload, ttl=62)


@pytest.mark.parametrize("id", ["", "../x", "a\nb", ".x", "x" * 254, "ä", "a/b"])
def test_wrong_ids_are_refused(pair, id):
    with pytest.raises(WireError):
        pair.open(pair.seal({"cmd": "x"}, id=id))


def test_an_id_with_nul_has_an_answer_of_its_own(pair):
    with pytest.raises(WireError) as refused:
        pair.open(pair.seal({"cmd": "x"}, id="a\0b"))

    assert refused.value.answer == "bad load: id contains a null byte"


def test_a_sealed_value_that_is_not_a_load_is_refused(pair):
    for value in ("text", [1], None):
        envelope = {"enc": "aes", "load": pair.session.seal(value), "version": 3, "id": "m1"}
        with pytest.raises(WireError):
            pair.open(pack(envelope))


def test_after_a_rotation_the_old_key_opens_for_a_while_and_is_answered_with(pair):
    pair.ring.rotate(SessionKey(Crypticle.generate()), now=100.0, overlap=60.0)

    request = pair.open(pair.seal({"cmd": "x"}, nonce="a" * 32), clock=159.0)

    assert requests.open_reply(requests.seal_reply(request, 1), pair.session, "a" * 32) == 1
    with pytest.raises(SealBroken):
        pair.open(pair.seal({"cmd": "x"}), clock=160.0)


@pytest.mark.parametrize(
    "answer", ["bad load", {"enc": "clear", "load": {"ret": False}}, "", b"\xff" * 80, None]
)
def test_a_plain_refusal_causes_a_new_sign_in_and_nothing_else(pair, answer):
    with pytest.raises(SealBroken):
        requests.open_reply(pack(answer), pair.session, "a" * 32)


@given(st.binary(max_size=200))
def test_no_reply_raises_anything_but_wire_errors(payload):
    with pytest.raises(WireError):
        requests.open_reply(payload, Crypticle.generate(), "a" * 32)


@pytest.mark.parametrize("sig_algo", SIGNING)
def test_signed_loads_are_verified(pair, minion_key, master_key, sig_algo):
    load = {"cmd": "_return", "jid": "1", "return": {"a": [1, True]}}
    request = pair.open(pair.seal(load, sign_with=minion_key, sig_algo=sig_algo))

    assert requests.is_signed(request.load, minion_key.public, request.sig_algo)
    assert not requests.is_signed({**request.load, "jid": "2"}, minion_key.public, request.sig_algo)
    assert not requests.is_signed(request.load, master_key.public, request.sig_algo)
    assert not requests.is_signed(load, minion_key.public, request.sig_algo)


def old(session, load, version=2):
    return read_envelope(
        pack({"enc": "aes", "load": session.seal(load), "version": version}), minimum_version=0
    )


def test_old_protocols_are_opened_with_the_publish_key(pair):
    envelope = old(pair.session, {"cmd": "x", "id": "m1", "tok": pair.tok, "nonce": "a" * 32})

    request = requests.open_old_request(envelope, pair.ring, {"m1": pair.check}, clock=0.0)

    assert (request.id, request.load, request.nonce) == ("m1", {"cmd": "x", "id": "m1"}, "a" * 32)


def test_an_old_request_without_proof_has_no_sender(pair):
    envelope = old(pair.session, {"cmd": "x", "id": "m1"}, version=0)

    request = requests.open_old_request(envelope, pair.ring, {"m1": pair.check}, clock=0.0)

    assert (request.id, request.nonce) == ("", "")


def test_an_old_request_with_a_wrong_proof_is_refused(pair):
    for load in ({"id": "m1", "tok": b"\xff" * 256}, {"id": "m2", "tok": pair.tok}):
        with pytest.raises(WireError):
            requests.open_old_request(old(pair.session, load), pair.ring, {"m1": pair.check}, clock=0.0)


def test_opening_a_request_is_cheap(pair):
    payloads = [pair.seal({"cmd": "_return", "return": True}) for _ in range(200)]
    pair.check(pair.tok)
    began = time.process_time()

    for payload in payloads:
        requests.seal_reply(pair.open(payload), None)

    # Ten times what it takes on a slow machine; an RSA operation for each would be beyond it.
    assert (time.process_time() - began) / len(payloads) < 0.001


def test_of_two_that_open_the_same_request_one_uses_it_up(pair):
    envelope = read_envelope(pair.seal({"cmd": "_file_envs"}))
    how = {"now": NOW, "clock": 0.0}
    opened = [requests.unseal_request(envelope, pair.ring, pair.check, **how) for _ in range(2)]

    opened[1][1]()

    with pytest.raises(WireError, match="second time"):
        opened[0][1]()
    assert opened[0][0].load == opened[1][0].load
