"""A minion's half of the sign-in: its request and checks. Both halves: `test_auth_server.py`."""

import dataclasses
import hashlib

import pytest

from salt_g.errors import MasterNotTrusted, SignInRefused, WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_client import Attempt, Trust, ask, read_answer
from salt_g.wire.envelope import read_envelope
from salt_g.wire.packing import pack

NONCE = "0123456789abcdef" * 2
PUBLISH, SESSION = Crypticle.generate(), Crypticle.generate()
ATTEMPT = Attempt("m1", NONCE, b"", "OAEP-SHA1", "PKCS1v15-SHA1")


@pytest.fixture
def answer(minion_key, master_key):
    """Return a function that returns a master's signed reply with changed fields.

    `...` leaves one out.
    """
    digest = hashlib.sha256(PUBLISH.text).hexdigest().encode()
    fields = {
        "enc": "pub",
        "nonce": NONCE,
        "pub_key": master_key.public.pem,
        "publish_port": 4505,
        "aes": minion_key.public.encrypt(PUBLISH.text, ATTEMPT.enc_algo),
        "session": minion_key.public.encrypt(SESSION.text, ATTEMPT.enc_algo),
        "sig": master_key.sign_recoverable(digest),
    }

    def make(signer=master_key, **changes):
        left = {name: value for name, value in {**fields, **changes}.items() if value is not ...}
        load = pack(left)
        return pack({"enc": "pub", "load": load, "sig": signer.sign(load, ATTEMPT.sig_algo)})

    return make


def load_of(payload):
    return read_envelope(payload, minimum_version=0).load


def test_a_first_sign_in_sends_no_token_and_expects_none(minion_key):
    payload, attempt = ask("m1", minion_key.public, Trust(), nonce=NONCE, token=b"secret")

    assert attempt == ATTEMPT
    assert load_of(payload) == {
        "cmd": "_auth",
        "id": "m1",
        "nonce": NONCE,
        "pub": minion_key.public.pem,
        "enc_algo": "OAEP-SHA1",
        "sig_algo": "PKCS1v15-SHA1",
    }


def test_the_token_is_for_the_known_master_alone(minion_key, master_key):
    trust = Trust(known=master_key.public)

    payload, attempt = ask("m1", minion_key.public, trust, nonce=NONCE, token=b"secret")

    assert master_key.decrypt(load_of(payload)["token"], attempt.enc_algo) == attempt.token == b"secret"


def test_an_answer_holds_all_that_a_minion_stores(answer, minion_key, master_key):
    grant = read_answer(answer(), ATTEMPT, minion_key, Trust())

    assert (grant.publish.text, grant.session.text) == (PUBLISH.text, SESSION.text)
    assert (grant.publish_port, grant.master, grant.is_new_master) == (4505, master_key.public, True)
    assert read_answer(answer(), ATTEMPT, minion_key, Trust(known=master_key.public)).is_new_master is False


@pytest.mark.parametrize("port", [..., None, 0, -1, 65536, "4505", 4505.0, True])
def test_an_invalid_port_is_refused(answer, minion_key, port):
    with pytest.raises(WireError, match="names no valid publish port"):
        read_answer(answer(publish_port=port), ATTEMPT, minion_key, Trust())


def test_the_outer_signature_is_that_of_the_key_inside(answer, minion_key, other_key):
    with pytest.raises(MasterNotTrusted, match="is not signed by the master's key"):
        read_answer(answer(signer=other_key), ATTEMPT, minion_key, Trust())


@pytest.mark.parametrize("key", [None, "", 5, "garbage", b"garbage"])
def test_a_malformed_key_is_refused(answer, minion_key, key):
    with pytest.raises(WireError):
        read_answer(answer(pub_key=key), ATTEMPT, minion_key, Trust())


@pytest.mark.parametrize("nonce", [..., None, "", NONCE.upper(), NONCE[:-1]])
def test_the_nonce_is_compared_in_full(answer, minion_key, nonce):
    with pytest.raises(WireError, match="does not carry our nonce"):
        read_answer(answer(nonce=nonce), ATTEMPT, minion_key, Trust())


def test_a_master_that_is_known_returns_the_token(answer, minion_key, master_key):
    trust = Trust(known=master_key.public)
    attempt = dataclasses.replace(ATTEMPT, token=b"secret")
    for token in (..., b"secret", minion_key.public.encrypt(b"secrets", ATTEMPT.enc_algo)):
        with pytest.raises(WireError):
            read_answer(answer(token=token), attempt, minion_key, trust)

    right = answer(token=minion_key.public.encrypt(b"secret", ATTEMPT.enc_algo))
    assert read_answer(right, attempt, minion_key, trust).master == master_key.public


def test_a_signature_of_the_masters_key_that_is_not_a_text_is_refused(answer, minion_key, other_key):
    trust = Trust(signer=other_key.public)
    for signature in (None, 5, "not base64!", "", b"\xff"):
        with pytest.raises(WireError):
            read_answer(answer(pub_sig=signature), ATTEMPT, minion_key, trust)


@pytest.mark.parametrize(("verdict", "reason"), [("full", "full"), (True, "pending"), (None, "rejected")])
def test_a_refusal_without_a_key_is_proven_by_a_known_master_only(
    answer, minion_key, master_key, verdict, reason
):
    refusal = answer(pub_key=..., ret=verdict)

    for trust, proven in ((Trust(), False), (Trust(known=master_key.public), True)):
        with pytest.raises(SignInRefused) as refused:
            read_answer(refusal, ATTEMPT, minion_key, trust)
        assert (refused.value.reason, refused.value.proven) == (reason, proven)
