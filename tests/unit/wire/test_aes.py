import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import SealBroken, WireError
from salt_g.wire import aes
from salt_g.wire.aes import Crypticle, PortableCipher, new_key_text, sealed_size

KEY = Crypticle(base64.b64encode(bytes(range(56))))
NONCE = "0123456789abcdef" * 2


@given(st.binary(max_size=200))
def test_a_sealed_message_can_be_opened(plain):
    message = KEY.seal_plain(plain)

    assert KEY.open_plain(message) == plain
    assert len(message) % 16 == 0 and len(message) >= 64


@given(st.binary(max_size=200))
def test_no_message_raises_anything_but_a_broken_seal(message):
    with pytest.raises(SealBroken):
        KEY.open_plain(message)


@given(st.integers(0, 111), st.integers(1, 255))
def test_every_changed_byte_breaks_the_seal(place, difference):
    message = bytearray(KEY.seal_plain(b"x" * 50))
    assert len(message) == 112
    message[place] ^= difference

    with pytest.raises(SealBroken):
        KEY.open_plain(bytes(message))


def test_another_key_breaks_the_seal():
    with pytest.raises(SealBroken):
        Crypticle.generate().open(KEY.seal(1))


def test_values_travel_with_the_nonce_of_their_request():
    message = KEY.seal({"a": 1}, nonce=NONCE)

    assert KEY.open(message, nonce=NONCE) == {"a": 1}
    with pytest.raises(WireError, match="does not carry the nonce"):
        KEY.open(message, nonce="f" * 32)


def test_a_reply_without_a_nonce_is_refused_when_one_is_due():
    with pytest.raises(WireError, match="does not carry the nonce"):
        KEY.open(KEY.seal(1), nonce=NONCE)


@pytest.mark.parametrize("plain", [b"", b"pickle:", b"json::{}", b"pickle::", b"pickle::\xc1"])
def test_sealed_bytes_that_are_not_values_are_refused(plain):
    with pytest.raises(WireError):
        KEY.open(KEY.seal_plain(plain))


def test_wrong_padding_under_a_right_seal_is_refused():
    import hmac

    from Crypto.Cipher import AES

    keys = bytes(range(56))
    for last in (b"\0", b"\x11", b"\x02"):
        body = b"v" * 16 + AES.new(keys[:24], AES.MODE_CBC, b"v" * 16).encrypt(b"x" * 15 + last)

        with pytest.raises(WireError, match="invalid padding"):
            KEY.open_plain(body + hmac.digest(keys[24:], body, "sha256"))


def test_a_key_text_is_76_characters_of_base64():
    text = new_key_text()

    assert len(text) == 76
    assert Crypticle(text.decode() + "\n").text == text
    for wrong in (b"", text[:-4], b"!" * 76, "é" * 76):
        with pytest.raises(WireError):
            Crypticle(wrong)


def test_a_key_does_not_show_itself():
    assert KEY.text.decode() not in repr(KEY)


@pytest.fixture(params=["as found", "portable"])
def any_cipher(request, monkeypatch):
    if request.param == "portable":
        monkeypatch.setattr(aes, "_cipher", PortableCipher)


@pytest.mark.parametrize("size", [0, 1, 15, 16, 100_000])
def test_parts_are_sealed_as_one_message_after_their_head(any_cipher, size):
    parts = [b"first", b"x" * size, b"last"]

    message = KEY.seal_parts(parts, head=b"head.", random=lambda count: b"v" * count)

    assert bytes(message) == b"head." + KEY.seal_plain(b"".join(parts), random=lambda count: b"v" * count)
    assert len(message) == 5 + sealed_size(size + 9)


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_a_part_of_a_message_is_opened_where_it_begins(any_cipher, kind):
    message = kind(b"head." + KEY.seal_plain(b"x" * 100_000))

    for seen in (message, bytes(message), memoryview(bytes(message)), memoryview(bytearray(message))):
        assert KEY.open_part(seen, 5) == b"x" * 100_000


@pytest.mark.parametrize("place", [5, 30, -1])
def test_a_changed_part_of_a_message_breaks_the_seal(place):
    message = bytearray(b"head." + KEY.seal_plain(b"x" * 100_000))
    message[place] ^= 1

    with pytest.raises(SealBroken):
        KEY.open_part(message, 5)


@given(st.binary(max_size=200))
def test_no_part_of_a_message_raises_anything_but_a_broken_seal(message):
    with pytest.raises(SealBroken):
        KEY.open_part(b"head." + message, 5)
