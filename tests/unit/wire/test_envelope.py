import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire.envelope import read_envelope, seal_clear
from salt_g.wire.packing import BEFORE_SIGN_IN, pack


def test_a_clear_envelope_is_read():
    found = read_envelope(seal_clear({"cmd": "ping"}))

    assert (found.is_sealed, found.load, found.version, found.id) == (False, {"cmd": "ping"}, 3, "")


def test_a_sealed_load_is_bytes_although_it_looks_like_text():
    found = read_envelope(pack({"enc": "aes", "load": "text", "version": 3, "id": "m1"}))

    assert (found.is_sealed, found.load, found.id) == (True, b"text", "m1")


@pytest.mark.parametrize(
    ("outer", "answer"),
    [
        ("text", "bad load"),
        ({}, "bad load"),
        ({"enc": "aes"}, "bad load"),
        ({"enc": "clear", "load": {}, "version": 2}, "bad load"),
        ({"enc": "clear", "load": {}}, "bad load"),
        ({"enc": "clear", "load": {}, "version": "x"}, "bad load"),
        ({"enc": "clear", "load": {}, "version": float("inf")}, "bad load"),
        ({"enc": "clear", "load": "x", "version": 3}, "payload and load must be a dict"),
        ({"enc": "aes", "load": {}, "version": 3}, "payload and load must be a dict"),
        ({"enc": "pub", "load": {}, "version": 3}, "Some exception handling minion payload"),
        ({"enc": [], "load": {}, "version": 3}, "Some exception handling minion payload"),
    ],
)
def test_wrong_envelopes_are_refused_with_stocks_words(outer, answer):
    with pytest.raises(WireError) as refused:
        read_envelope(pack(outer))

    assert refused.value.answer == answer


def test_invalid_msgpack_has_an_answer_of_its_own():
    with pytest.raises(WireError) as refused:
        read_envelope(b"\xc1")

    assert refused.value.answer == {"msg": "bad load"}


def test_older_protocols_are_served_when_the_setting_allows_them():
    payload = pack({"enc": "clear", "load": {"cmd": "_auth"}})

    assert read_envelope(payload, minimum_version=0).version == 0


def test_a_large_sealed_request_is_read_and_a_large_clear_one_is_not():
    large = b"\xff" * (BEFORE_SIGN_IN.size + 1)

    assert read_envelope(pack({"enc": "aes", "load": large, "version": 3, "id": "m1"})).load == large
    for load in ({"cmd": large}, {"cmd": [1] * BEFORE_SIGN_IN.size}):
        with pytest.raises(WireError):
            read_envelope(seal_clear(load))


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_wire_errors(payload):
    with pytest.raises(WireError):
        read_envelope(payload)
