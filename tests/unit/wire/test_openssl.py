import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.wire.aes import BLOCK, KNOWN_ANSWER, KNOWN_QUESTION, Crypticle, PortableCipher
from salt_g.wire.openssl import SHORT, Aes192Cbc

KEY, VECTOR = os.urandom(24), os.urandom(BLOCK)


@pytest.fixture(scope="module")
def openssl():
    try:
        return Aes192Cbc()
    except ImportError as exc:
        pytest.skip(str(exc))


@pytest.mark.parametrize("blocks", [0, 1, 2, 63, SHORT // BLOCK, SHORT // BLOCK + 1, 4 * SHORT // BLOCK])
def test_both_ciphers_give_the_same_bytes(openssl, blocks):
    portable, data = PortableCipher(), os.urandom(blocks * BLOCK)
    sealed = portable.encrypt(KEY, VECTOR, data)

    assert openssl.encrypt(KEY, VECTOR, data) == sealed
    assert openssl.decrypt(KEY, VECTOR, sealed) == portable.decrypt(KEY, VECTOR, sealed) == data


def test_both_ciphers_give_the_known_answer(openssl):
    assert PortableCipher().encrypt(*KNOWN_QUESTION) == openssl.encrypt(*KNOWN_QUESTION) == KNOWN_ANSWER


@given(st.binary(min_size=1, max_size=100).filter(lambda data: len(data) % BLOCK))
def test_incomplete_blocks_are_refused(openssl, data):
    with pytest.raises(ValueError):
        openssl.encrypt(KEY, VECTOR, data)


@pytest.mark.parametrize("size", [BLOCK, 2 * SHORT])
def test_a_received_frame_may_be_a_bytearray(openssl, size):
    sealed = openssl.encrypt(KEY, VECTOR, bytes(size))

    assert openssl.decrypt(KEY, VECTOR, bytearray(sealed)) == bytes(size)


def test_a_sealed_bytearray_is_opened():
    key = Crypticle.generate()

    assert key.open_plain(bytearray(key.seal_plain(b"x" * 100_000))) == b"x" * 100_000
