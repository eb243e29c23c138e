"""The sign-in, with both halves against each other."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import MasterNotTrusted, SaltGError, SignInRefused, WireError
from salt_g.wire import auth_client, auth_server
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.envelope import read_envelope, seal_clear
from salt_g.wire.packing import pack, unpack
from salt_g.wire.rsa import ENCRYPTION, SIGNING, fingerprint

NONCE = "0123456789abcdef" * 2
SESSION = Crypticle.generate()


@pytest.fixture
def ask(minion_key):
    """Return a function that returns a minion's request, and the data that its reply must match."""

    def make(trust=auth_client.Trust(), **settings):  # noqa: B008
        return auth_client.ask(
            "m1", minion_key.public, trust, nonce=NONCE, **{"token": new_key_text(), **settings}
        )

    return make


def read(payload, **changes):
    """Return the master's parsing of a request."""
    return auth_server.read_sign_in(dataclasses.replace(read_envelope(payload, minimum_version=0), **changes))


@pytest.mark.parametrize("enc_algo", ENCRYPTION)
@pytest.mark.parametrize("sig_algo", SIGNING)
def test_a_minion_signs_in_and_gets_its_keys(ask, minion_key, master, publish_key, enc_algo, sig_algo):
    payload, attempt = ask(enc_algo=enc_algo, sig_algo=sig_algo)

    answer = auth_server.accept(read(payload), master, publish_key, SESSION)
    grant = auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())

    assert (grant.publish.text, grant.session.text) == (publish_key.crypticle.text, SESSION.text)
    assert (grant.master, grant.publish_port, grant.is_new_master) == (master.key.public, 4505, True)


@pytest.mark.parametrize(
    ("expected", "received"),
    [(None, None), (1.8e9, 1.8e9), (7, 7.0), ("noon", None), (True, None), (float("inf"), None)],
)
def test_a_master_sends_its_time_and_a_wrong_one_is_harmless(
    ask, minion_key, master, publish_key, expected, received
):
    payload, attempt = ask()

    answer = auth_server.accept(read(payload), master, publish_key, SESSION, now=expected)
    grant = auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())

    assert grant.time == received


def test_a_master_announces_its_extensions_of_the_protocol(ask, minion_key, master, publish_key):
    payload, attempt = ask()

    answer = auth_server.accept(read(payload), master, publish_key, SESSION)
    grant = auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())

    assert grant.features == {"steps"}


@pytest.mark.parametrize("expected", [None, "steps", {"steps": 1}, [1, None], 7])
def test_odd_features_are_none(expected):
    assert auth_client._features(expected) == frozenset()


def test_a_known_master_proves_that_it_still_has_its_key(ask, minion_key, master, publish_key):
    trust = auth_client.Trust(known=master.key.public)
    payload, attempt = ask(trust)

    answer = auth_server.accept(read(payload), master, publish_key, SESSION)
    grant = auth_client.read_answer(answer, attempt, minion_key, trust)

    assert grant.is_new_master is False
    assert len(attempt.token) == 76


def test_a_master_that_cannot_read_the_token_is_not_trusted(ask, minion_key, master, publish_key):
    trust = auth_client.Trust(known=master.key.public)
    payload, attempt = ask(trust)
    sign_in = read(payload)

    for token in (b"", b"x" * 256, minion_key.public.encrypt(b"other")):
        answer = auth_server.accept(dataclasses.replace(sign_in, token=token), master, publish_key, SESSION)
        with pytest.raises(WireError):
            auth_client.read_answer(answer, attempt, minion_key, trust)


def test_a_changed_master_is_not_trusted(ask, minion_key, signing_key, master, publish_key):
    trust = auth_client.Trust(known=signing_key.public)
    payload, attempt = ask(trust)
    answer = auth_server.accept(read(payload), master, publish_key, SESSION)

    with pytest.raises(MasterNotTrusted, match="has changed"):
        auth_client.read_answer(answer, attempt, minion_key, trust)


def signing(master, signing_key):
    return dataclasses.replace(
        master, key_signature=lambda algo: auth_server.sign_master_key(master.key.public, signing_key, algo)
    )


@pytest.mark.parametrize("sig_algo", SIGNING)
def test_a_changed_master_with_a_signed_key_is_taken(
    ask, minion_key, master, publish_key, signing_key, sig_algo
):
    trust = auth_client.Trust(known=minion_key.public, signer=signing_key.public)
    payload, attempt = ask(trust, sig_algo=sig_algo)
    sign_in = dataclasses.replace(read(payload), token=master.key.public.encrypt(attempt.token))

    answer = auth_server.accept(sign_in, signing(master, signing_key), publish_key, SESSION)
    grant = auth_client.read_answer(answer, attempt, minion_key, trust)

    assert (grant.master, grant.is_new_master) == (master.key.public, True)


def test_signed_master_keys_are_wanted_by_both_sides_or_none(
    ask, minion_key, master, publish_key, signing_key
):
    payload, attempt = ask()
    plain = auth_server.accept(read(payload), master, publish_key, SESSION)
    signed = auth_server.accept(read(payload), signing(master, signing_key), publish_key, SESSION)

    for answer, trust in (
        (plain, auth_client.Trust(signer=signing_key.public)),
        (signed, auth_client.Trust()),
        (signed, auth_client.Trust(known=master.key.public)),
    ):
        with pytest.raises(MasterNotTrusted, match="only one side"):
            auth_client.read_answer(answer, attempt, minion_key, trust)


def test_a_key_signed_by_another_key_is_not_trusted(ask, minion_key, master, publish_key, signing_key):
    payload, attempt = ask()
    answer = auth_server.accept(read(payload), signing(master, minion_key), publish_key, SESSION)

    for trust in (
        auth_client.Trust(signer=signing_key.public),
        auth_client.Trust(known=master.key.public, signer=signing_key.public, always_verify_signature=True),
    ):
        with pytest.raises(MasterNotTrusted, match="not signed by the signing key"):
            auth_client.read_answer(answer, attempt, minion_key, trust)


def test_the_fingerprint_of_the_master_is_checked(ask, minion_key, master, publish_key):
    payload, attempt = ask()
    answer = auth_server.accept(read(payload), master, publish_key, SESSION)
    finger = fingerprint(master.key.public.pem)

    assert auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust(finger=finger.upper()))
    with pytest.raises(MasterNotTrusted, match="master_finger"):
        auth_client.read_answer(
            answer, attempt, minion_key, auth_client.Trust(finger="00:" + finger[3:] + "x")
        )


@pytest.mark.parametrize(("verdict", "reason"), [(True, "pending"), (False, "rejected"), ("full", "full")])
def test_a_refusal_says_why_and_whether_it_is_proven(ask, minion_key, master, verdict, reason):
    payload, attempt = ask()
    answer = auth_server.refuse(read(payload), verdict, master.key)

    for trust, proven in ((auth_client.Trust(), False), (auth_client.Trust(known=master.key.public), True)):
        with pytest.raises(SignInRefused) as refused:
            auth_client.read_answer(answer, attempt, minion_key, trust)
        assert (refused.value.reason, refused.value.proven) == (reason, proven)


def test_a_refusal_signed_by_another_master_is_not_believed(ask, minion_key, master, signing_key):
    payload, attempt = ask()
    answer = auth_server.refuse(read(payload), False, signing_key)

    with pytest.raises(MasterNotTrusted):
        auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust(known=master.key.public))


def test_an_answer_to_another_sign_in_is_refused(ask, minion_key, master, publish_key):
    payload, attempt = ask()
    answer = auth_server.accept(read(payload), master, publish_key, SESSION)

    with pytest.raises(WireError, match="does not carry our nonce"):
        auth_client.read_answer(
            answer, dataclasses.replace(attempt, nonce="f" * 32), minion_key, auth_client.Trust()
        )


def test_an_answer_for_another_minion_cannot_be_read(ask, signing_key, master, publish_key):
    payload, attempt = ask()
    answer = auth_server.accept(read(payload), master, publish_key, SESSION)

    with pytest.raises(WireError, match="not encrypted for our key"):
        auth_client.read_answer(answer, attempt, signing_key, auth_client.Trust())


def test_a_publish_key_that_the_master_did_not_prove_is_refused(ask, minion_key, master, publish_key):
    payload, attempt = ask()
    forged = auth_server.PublishKey(Crypticle.generate(), publish_key.proof)
    answer = auth_server.accept(read(payload), master, forged, SESSION)

    with pytest.raises(MasterNotTrusted, match="publish key"):
        auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())


@given(st.data())
def test_a_damaged_answer_raises_nothing_but_our_errors(minion_key, master, publish_key, data):
    payload, attempt = auth_client.ask("m1", minion_key.public, auth_client.Trust(), nonce=NONCE, token=b"")
    answer = bytearray(_answer(master, publish_key, payload))
    place = data.draw(st.integers(0, len(answer) - 1))
    answer[place] ^= data.draw(st.integers(1, 255))

    try:
        auth_client.read_answer(bytes(answer), attempt, minion_key, auth_client.Trust())
    except WireError:
        pass


_ANSWERS = {}


def _answer(master, publish_key, payload):
    if "one" not in _ANSWERS:
        _ANSWERS["one"] = auth_server.accept(read(payload), master, publish_key, SESSION)
    return _ANSWERS["one"]


@given(st.binary(max_size=200) | st.text(max_size=50).map(pack))
def test_a_malformed_answer_raises_only_our_errors(minion_key, answer):
    attempt = auth_client.Attempt("m1", NONCE, b"", "OAEP-SHA1", "PKCS1v15-SHA1")

    with pytest.raises(WireError):
        auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("bad load", "bad load"),
        ({"enc": "clear", "load": {"ret": "bad enc algo"}}, "bad enc algo"),
        ({"enc": "clear", "load": {"ret": False}}, "rejected"),
    ],
)
def test_unsigned_refusals_prove_nothing(minion_key, answer, reason):
    attempt = auth_client.Attempt("m1", NONCE, b"", "OAEP-SHA1", "PKCS1v15-SHA1")

    with pytest.raises(SignInRefused) as refused:
        auth_client.read_answer(pack(answer), attempt, minion_key, auth_client.Trust())

    assert (refused.value.reason, refused.value.proven) == (reason, False)


def test_protocol_2_has_no_session_and_0_no_signature(ask, master, publish_key):
    payload, _ = ask()
    answers = {
        version: unpack(auth_server.accept(read(payload, version=version), master, publish_key, SESSION))
        for version in (0, 1, 2, 3)
    }

    assert sorted(unpack(answers[3]["load"])) == sorted(
        ["aes", "enc", "features", "nonce", "pub_key", "publish_port", "session", "sig"]
    )
    assert "session" not in unpack(answers[2]["load"]) and "sig" in answers[2]
    assert answers[0].keys() == answers[1].keys() == {"aes", "enc", "pub_key", "publish_port", "sig"}


def test_a_minion_refuses_a_master_of_an_older_protocol(ask, minion_key, master, publish_key):
    payload, attempt = ask()
    answer = auth_server.accept(read(payload, version=2), master, publish_key, SESSION)

    with pytest.raises(WireError, match="no sessions"):
        auth_client.read_answer(answer, attempt, minion_key, auth_client.Trust())


def test_refusals_of_old_protocols_are_not_signed(ask, master):
    payload, _ = ask()

    answer = unpack(auth_server.refuse(read(payload, version=0), True, master.key))

    assert answer == {"enc": "clear", "load": {"ret": True}}


def load(minion_key, **fields):
    return {
        "cmd": "_auth",
        "id": "m1",
        "nonce": NONCE,
        "pub": minion_key.public.pem,
        "enc_algo": "OAEP-SHA1",
        "sig_algo": "PKCS1v15-SHA1",
        **fields,
    }


@pytest.mark.parametrize("field", ["enc_algo", "sig_algo"])
def test_unknown_algorithms_are_refused_before_anything_else(minion_key, field):
    for wrong in ("none", None, 5, ["OAEP-SHA1"]):
        with pytest.raises(WireError) as refused:
            read(seal_clear(load(minion_key, **{field: wrong})))

        assert refused.value.answer["load"]["ret"] == f"bad {field[:3]} algo"


def test_missing_algorithms_are_the_old_ones(minion_key):
    fields = load(minion_key)
    del fields["enc_algo"], fields["sig_algo"]

    found = read(seal_clear(fields))

    assert (found.enc_algo, found.sig_algo) == ("OAEP-SHA1", "PKCS1v15-SHA1")


@pytest.mark.parametrize("fields", [{"id": "../m1"}, {"id": ""}, {"id": 5}, {"pub": "none"}, {"pub": None}])
def test_a_refusal_without_a_signature_is_a_problem(minion_key, master, publish_key, fields):
    found = read(seal_clear(load(minion_key, **fields)))

    assert found.problem and found.public is None
    with pytest.raises(WireError):
        auth_server.accept(found, master, publish_key, SESSION)


def test_autosign_grains_travel_with_the_sign_in(ask):
    payload, _ = ask(autosign_grains={"role": ["web"]})

    assert read(payload).autosign_grains == {"role": ["web"]}


@given(
    st.dictionaries(
        st.sampled_from(
            ["cmd", "id", "nonce", "enc_algo", "sig_algo", "pub", "token", "autosign_grains", "x"]
        ),
        st.none() | st.integers() | st.text(max_size=20) | st.binary(max_size=20) | st.lists(st.integers()),
    )
)
def test_no_load_raises_anything_but_our_errors(minion_key, fields):
    try:
        read(seal_clear(load(minion_key, **fields)))
    except SaltGError as exc:
        assert isinstance(exc, WireError)
