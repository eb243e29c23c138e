import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from Crypto.Cipher import PKCS1_OAEP
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15
from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire import openssl, rsa
from salt_g.wire.rsa import ENCRYPTION, SIGNING, PrivateKey, PublicKey, clean_pem, fingerprint
from tests.support import key_pairs


@pytest.mark.parametrize("algorithm", ENCRYPTION)
def test_the_owner_reads_what_was_encrypted(minion_key, algorithm):
    sealed = minion_key.public.encrypt(b"x" * 76, algorithm)

    assert minion_key.decrypt(sealed, algorithm) == b"x" * 76


@pytest.mark.parametrize("algorithm", SIGNING)
def test_a_signature_holds_for_its_bytes_key_and_algorithm_only(minion_key, master_key, algorithm):
    signature = minion_key.sign(b"data", algorithm)
    other = next(name for name in SIGNING if name != algorithm)

    assert minion_key.public.verify(b"data", signature, algorithm)
    assert not minion_key.public.verify(b"Data", signature, algorithm)
    assert not master_key.public.verify(b"data", signature, algorithm)
    assert not minion_key.public.verify(b"data", signature, other)
    assert not minion_key.public.verify(b"data", b"", algorithm)


@settings(max_examples=20)
@given(st.binary(max_size=253))
def test_a_recoverable_signature_holds_its_message(minion_key, message):
    assert minion_key.public.recover(minion_key.sign_recoverable(message)) == message


def test_a_recoverable_signature_is_the_same_each_time(minion_key):
    assert minion_key.sign_recoverable(b"salt") == minion_key.sign_recoverable(b"salt")


@given(st.binary(max_size=300) | st.binary(min_size=256, max_size=256))
def test_bytes_that_are_not_recoverable_signatures_are_refused(minion_key, signature):
    with pytest.raises(WireError):
        minion_key.public.recover(signature)


def test_a_message_that_is_too_long_is_refused(minion_key):
    with pytest.raises(WireError):
        minion_key.sign_recoverable(b"x" * 254)
    with pytest.raises(WireError):
        minion_key.public.encrypt(b"x" * 300)


@given(st.binary(max_size=300))
def test_bytes_that_were_not_encrypted_for_us_are_refused(minion_key, data):
    with pytest.raises(WireError):
        minion_key.decrypt(data)


@pytest.mark.parametrize("algorithm", ["", "OAEP-MD5", "PKCS1v15-SHA1", None, []])
def test_unknown_algorithms_are_refused(minion_key, algorithm):
    with pytest.raises(WireError, match="is not one of"):
        minion_key.public.encrypt(b"x", algorithm)


def test_pem_is_compared_cleaned(minion_key):
    pem = minion_key.public.pem

    assert clean_pem("\r\n" + pem.replace("\n", "\r\n") + "\r\n\r\n") == pem
    assert PublicKey((pem + "\n").encode()) == minion_key.public


def test_private_keys_are_stored_as_stock_stores_them(minion_key):
    text = minion_key.to_pem()

    assert text.startswith("-----BEGIN RSA PRIVATE KEY-----\n")
    assert PrivateKey(text).public == minion_key.public


def test_a_private_key_may_have_a_passphrase(minion_key):
    text = minion_key.to_pem("secret")

    assert PrivateKey(text, "secret").public == minion_key.public
    with pytest.raises(WireError):
        PrivateKey(text, "wrong")


@given(st.text(max_size=100) | st.binary(max_size=100))
def test_text_that_is_not_a_key_is_refused(text):
    for kind in (PublicKey, PrivateKey):
        with pytest.raises(WireError):
            kind(text)


def test_keys_of_other_sizes_forms_and_exponents_are_refused(minion_key):
    small = RSA.generate(1024).public_key().export_key()
    pem = minion_key.public.pem
    odd = RSA.construct((int(minion_key._key.n), 2**33 + 1)).export_key()

    for wrong in (small, odd, minion_key.to_pem(), pem.replace("M", "", 1), pem + pem, "x" * 10_000):
        with pytest.raises(WireError):
            PublicKey(wrong)


def test_a_public_key_cannot_stand_for_a_private_one(minion_key):
    with pytest.raises(WireError, match="expected a private key"):
        PrivateKey(minion_key.public.pem)


def test_the_fingerprint_is_over_the_lines_of_the_body():
    pem = "-----BEGIN PUBLIC KEY-----\nYWJj\nZGVm\n-----END PUBLIC KEY-----"

    assert fingerprint(pem, "md5").replace(":", "") == "2140b8266c546a4c2e1a584dd27e261e"
    assert len(fingerprint(pem).split(":")) == 32


def test_native_threads_that_share_a_key_do_not_meet_at_a_lock_of_greenlets() -> None:
    code = (
        "from gevent import monkey; monkey.patch_all()\n"
        "from salt_g.wire.rsa import PrivateKey\n"
        "key = PrivateKey.generate(2048)._key\n"
        "print([name for name, value in vars(key).items() if type(value).__module__.startswith('gevent')])\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.fixture
def quick_key(minion_key):
    key = PrivateKey(minion_key.to_pem())
    if not key.warm_up():
        pytest.skip("this Python has no OpenSSL 3 of its own")
    return key


@pytest.mark.parametrize("algorithm", ENCRYPTION)
def test_openssl_reads_what_was_encrypted(quick_key, minion_key, algorithm):
    sealed = minion_key.public.encrypt(b"x" * 76, algorithm)

    assert quick_key.decrypt(sealed, algorithm) == b"x" * 76


@pytest.mark.parametrize("algorithm", SIGNING)
def test_openssl_signs_as_pycryptodome_does(quick_key, minion_key, algorithm):
    assert quick_key.sign(b"data", algorithm) == minion_key.sign(b"data", algorithm)


@pytest.mark.parametrize("data", [b"", b"x", b"\0" * 256, b"\xff" * 256, b"x" * 257])
def test_openssl_refuses_bytes_that_were_not_encrypted_for_us(quick_key, data):
    with pytest.raises(WireError, match="not encrypted for our key"):
        quick_key.decrypt(data)


@pytest.mark.parametrize("algorithm", ["OAEP-MD5", "", None])
def test_openssl_is_asked_for_known_algorithms_only(quick_key, algorithm):
    with pytest.raises(WireError, match="algorithm"):
        quick_key.decrypt(b"x" * 256, algorithm)
    with pytest.raises(WireError, match="algorithm"):
        quick_key.sign(b"data", algorithm)


def test_native_threads_share_a_key_of_openssl(quick_key, minion_key):
    sealed = [minion_key.public.encrypt(b"%d" % number) for number in range(40)]

    with ThreadPoolExecutor(4) as threads:
        plain = list(threads.map(quick_key.decrypt, sealed))

    assert plain == [b"%d" % number for number in range(40)]


def test_a_failure_in_openssl_leaves_nothing_behind_for_tls(quick_key):
    with pytest.raises(WireError):
        quick_key.decrypt(b"\xff" * 256)

    library = ctypes.CDLL(openssl.LIBRARY)
    assert library.ERR_peek_error() == 0


def test_a_key_works_on_without_openssl(minion_key, monkeypatch):
    monkeypatch.setattr(openssl, "LIBRARY", "libcrypto.so.nowhere")
    key = PrivateKey(minion_key.to_pem())

    assert not key.warm_up()
    assert key.sign(b"data") == minion_key.sign(b"data")


def test_an_openssl_that_refuses_an_algorithm_is_not_used(minion_key, monkeypatch):
    def refuse(self, data, algorithm):
        raise ValueError("SHA-1 is forbidden here")

    monkeypatch.setattr(openssl.OpenSSLKey, "sign", refuse)
    key = PrivateKey(minion_key.to_pem())

    assert not key.warm_up()
    assert key.sign(b"data") == minion_key.sign(b"data")


@pytest.fixture(params=["OpenSSL", "the library"])
def either_way(request, monkeypatch):
    """Run the public operations with OpenSSL, then without it."""
    rsa._by_openssl.cache_clear()
    rsa._openssl.cache_clear()
    if request.param == "the library":
        monkeypatch.setattr(openssl, "LIBRARY", "libcrypto.so.nowhere")
    elif rsa._openssl() is None:
        pytest.skip("this Python has no OpenSSL 3 of its own")
    yield
    rsa._by_openssl.cache_clear()
    rsa._openssl.cache_clear()


@pytest.mark.parametrize("algorithm", ENCRYPTION)
@pytest.mark.usefixtures("either_way")
def test_public_operations_encrypt_for_the_owner_alone(minion_key, algorithm):
    sealed = minion_key.public.encrypt(b"x" * 76, algorithm)

    assert PKCS1_OAEP.new(minion_key._key, hashAlgo=ENCRYPTION[algorithm]).decrypt(sealed) == b"x" * 76
    with pytest.raises(WireError, match="300 bytes cannot be encrypted"):
        minion_key.public.encrypt(b"x" * 300, algorithm)
    with pytest.raises(WireError, match="algorithm"):
        minion_key.public.encrypt(b"x", "OAEP-MD5")


@pytest.mark.parametrize("algorithm", SIGNING)
@pytest.mark.usefixtures("either_way")
def test_public_operations_verify_what_the_owner_signed(minion_key, algorithm):
    signature = pkcs1_15.new(minion_key._key).sign(SIGNING[algorithm].new(b"data"))

    assert minion_key.public.verify(b"data", signature, algorithm)
    for wrong in (signature[:-1], signature + b"\0", b"\0" + signature, bytes(256), b"\xff" * 256, b""):
        assert not minion_key.public.verify(b"data", wrong, algorithm)


@pytest.mark.usefixtures("either_way")
def test_keys_of_all_sizes_encrypt():
    for bits in (2048, 3072, 4096):
        key = key_pairs.generated(bits, 65537 if bits == 2048 else 3)
        assert key.decrypt(key.public.encrypt(b"text")) == b"text"


def test_more_keys_than_openssl_keeps_are_used_in_turn(minion_key, master_key):
    keys = [PublicKey(pair.public.pem) for pair in (minion_key, master_key)]

    for number in range(3 * rsa.KEPT):
        odd = int(minion_key._key.n) - 2 * number
        if rsa._openssl() is not None:
            rsa._by_openssl(odd, 65537)

    for key, pair in zip(keys, (minion_key, master_key), strict=True):
        assert pair.decrypt(key.encrypt(b"text")) == b"text"
