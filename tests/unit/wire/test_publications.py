import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import MasterNotTrusted, SealBroken, WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import pack, unpack
from salt_g.wire.publications import (
    BROADCAST,
    MOST_KEYS,
    SYNDIC,
    SerialGuard,
    Serials,
    open_publication,
    payload_of,
    seal_publication,
    topic_of,
    topics_of,
)
from salt_g.wire.rsa import SIGNING

KEY = Crypticle.generate()
JOB = {
    "fun": "test.ping",
    "arg": [],
    "tgt": "*",
    "tgt_type": "glob",
    "jid": "2" * 20,
    "ret": "",
    "user": "root",
}


@pytest.fixture
def publish(master_key):
    """Return a function that makes one publication."""
    return lambda job=JOB, serial=1, **settings: seal_publication(
        job, KEY, serial=serial, **{"sign_with": master_key, **settings}
    )


@pytest.fixture
def receive(master_key):
    """Return a function that returns the job of a publication, for a minion with one guard."""
    guard = SerialGuard()
    return lambda payload, key=KEY, **settings: open_publication(
        payload, key, master_key.public, guard, **settings
    )


@pytest.mark.parametrize("sig_algo", SIGNING)
def test_a_job_arrives_as_it_was_sent(publish, receive, sig_algo):
    assert receive(publish(sig_algo=sig_algo)) == JOB


def test_a_publication_comes_once_and_in_order(publish, receive):
    first, second = publish(serial=7), publish(serial=9)
    receive(first)
    receive(second)

    for payload in (first, second, publish(serial=8)):
        with pytest.raises(WireError, match="not newer"):
            receive(payload)


def test_a_new_key_begins_a_new_count(publish, receive, master_key):
    receive(publish(serial=100))
    other = Crypticle.generate()
    payload = seal_publication(JOB, other, serial=1, sign_with=master_key)

    with pytest.raises(SealBroken):
        receive(payload)
    assert receive(payload, key=other) == JOB


def test_masters_of_a_cluster_send_no_serial(publish, receive):
    for _ in range(2):
        assert receive(publish(serial=None)) == JOB


@pytest.mark.parametrize("serial", [True, "5", 1.5, [1]])
def test_a_serial_is_a_number(publish, receive, serial):
    with pytest.raises(WireError, match="not newer"):
        receive(publish({**JOB, "serial": serial}, serial=None))


def test_a_signature_is_needed_unless_the_minion_says_otherwise(publish, receive):
    payload = publish(sign_with=None)

    with pytest.raises(MasterNotTrusted, match="not signed"):
        receive(payload)
    assert receive(payload, requires_signature=False) == JOB


def test_a_wrong_signature_counts_even_where_none_is_needed(receive, minion_key):
    forged = seal_publication(JOB, KEY, serial=1, sign_with=minion_key)

    with pytest.raises(MasterNotTrusted):
        receive(forged, requires_signature=False)


def test_only_algorithms_of_the_minions_list_are_believed(publish, receive):
    payload = publish(sig_algo="PKCS1v15-SHA1")

    with pytest.raises(MasterNotTrusted, match="not accepted here"):
        receive(payload, algorithms=["PKCS1v15-SHA224"])


@pytest.mark.parametrize("missing", ["tgt", "jid", "fun", "arg"])
def test_a_job_without_its_fields_is_none(publish, receive, missing):
    with pytest.raises(WireError, match="not a job"):
        receive(publish({name: value for name, value in JOB.items() if name != missing}))


@given(st.data())
def test_a_damaged_publication_raises_nothing_but_our_errors(master_key, data):
    payload = bytearray(data.draw(st.sampled_from([_payload(master_key)])))
    place = data.draw(st.integers(0, len(payload) - 1))
    payload[place] ^= data.draw(st.integers(1, 255))

    try:
        job = open_publication(bytes(payload), KEY, master_key.public, SerialGuard())
    except WireError:
        return
    # Only what is not signed (the outer map's own keys) can change without notice; the job cannot.
    assert job == JOB


_PAYLOADS = []


def _payload(master_key):
    if not _PAYLOADS:
        _PAYLOADS.append(seal_publication(JOB, KEY, serial=1, sign_with=master_key))
    return _PAYLOADS[0]


@given(
    st.binary(max_size=100) | st.dictionaries(st.sampled_from(["enc", "load", "sig"]), st.text()).map(pack)
)
def test_a_malformed_publication_raises_only_our_errors(master_key, payload):
    with pytest.raises(WireError):
        open_publication(payload, KEY, master_key.public, SerialGuard())


def test_serials_count_up():
    serials = Serials()

    assert [serials.take() for _ in range(3)] == [1, 2, 3]


def test_the_envelope_is_the_one_of_the_specification(publish):
    outer = unpack(publish(), binary=("load", "sig"))

    assert list(outer) == ["enc", "load", "sig_algo", "sig"]
    assert list(unpack(publish(sign_with=None), binary=("load",))) == ["enc", "load"]


def test_topics_are_hashes_of_ids():
    assert topic_of("cap-1") == hashlib.sha1(b"cap-1").hexdigest().encode()
    assert topics_of(None) == [BROADCAST]
    assert topics_of(["a"], orders_masters=True) == [topic_of("a"), SYNDIC]


def test_publications_of_other_topics_are_left():
    ours = [BROADCAST, topic_of("m1")]

    assert payload_of([b"x"], ours) == b"x"
    assert payload_of([BROADCAST, b"x"], ours) == b"x"
    assert payload_of([topic_of("m2"), b"x"], ours) is None
    with pytest.raises(WireError):
        payload_of([b"a", b"b", b"c"], ours)


def test_a_publication_without_a_serial_is_refused_after_one_with_a_serial():
    guard, key = SerialGuard(), Crypticle.generate()
    guard.check({"serial": 4}, key)

    with pytest.raises(WireError):
        guard.check({}, key)
    guard.check({}, Crypticle.generate())


def test_each_key_has_a_count_of_its_own():
    guard, one, other = SerialGuard(), Crypticle.generate(), Crypticle.generate()
    guard.check({"serial": 4}, one)
    guard.check({"serial": 2}, other)
    guard.check({"serial": 5}, one)

    for key, serial in ((one, 5), (other, 2)):
        with pytest.raises(WireError, match="not newer"):
            guard.check({"serial": serial}, key)


def test_the_count_of_the_key_in_use_outlives_those_of_many_others():
    guard, key = SerialGuard(), Crypticle.generate()
    for serial in range(MOST_KEYS * 2):
        guard.check({"serial": serial + 1}, key)
        guard.check({"serial": 1}, Crypticle.generate())

    with pytest.raises(WireError, match="not newer"):
        guard.check({"serial": 1}, key)


def test_fields_that_are_not_known_are_left_out(master_key):
    key = Crypticle.generate()
    job = {"tgt": "*", "jid": "1", "fun": "test.ping", "arg": [], "return_jid": "2", "schedule": "x"}
    payload = seal_publication(job, key, serial=1, sign_with=master_key)

    opened = open_publication(payload, key, master_key.public, SerialGuard())

    assert opened == {"tgt": "*", "jid": "1", "fun": "test.ping", "arg": []}
