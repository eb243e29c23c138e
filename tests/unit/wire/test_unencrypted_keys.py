"""Unencrypted keys, parsed to the same numbers as by the library; other files are left to it."""

import base64
import subprocess
import sys

import pytest
from Crypto.PublicKey import RSA
from Crypto.Util.asn1 import DerOctetString, DerSequence
from hypothesis import given
from hypothesis import strategies as st

from salt_g.wire.unencrypted_keys import public_pem, read_plain, read_public_numbers


def _pem(kind, der):
    lines = base64.encodebytes(der).decode()
    return f"-----BEGIN {kind}-----\n{lines}-----END {kind}-----\n"


def test_both_halves_are_what_the_library_reads(minion_key):
    for text in (minion_key.to_pem(), minion_key.public.pem):
        assert read_plain(text) == RSA.import_key(text)


def test_the_public_half_is_written_as_the_library_writes_it(minion_key, master_key):
    for key in (minion_key, master_key):
        pair = RSA.import_key(key.to_pem())
        assert public_pem(pair) == pair.public_key().export_key().decode().strip()


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: f"\n {text} \n"])
def test_ends_of_lines_and_space_around_a_key_do_not_matter(minion_key, change):
    assert read_plain(change(minion_key.to_pem())) == RSA.import_key(minion_key.to_pem())


def test_other_forms_are_left_to_the_library(minion_key):
    key = RSA.import_key(minion_key.to_pem())
    protected = key.export_key(passphrase="secret").decode()

    for text in (key.export_key(pkcs=8).decode(), protected, "ssh-rsa AAAA", ""):
        assert read_plain(text) is None


@pytest.mark.parametrize(
    "spoil", [lambda der: der[:-1], lambda der: der + b"\0", lambda der: b"\x31" + der[1:]]
)
def test_a_key_that_is_cut_or_longer_than_it_says_is_refused(minion_key, spoil):
    key = RSA.import_key(minion_key.to_pem())

    with pytest.raises(ValueError):
        read_plain(_pem("RSA PRIVATE KEY", spoil(key.export_key("DER"))))
    with pytest.raises(ValueError):
        read_plain(_pem("PUBLIC KEY", spoil(key.public_key().export_key("DER"))))


def test_a_pair_whose_halves_do_not_belong_together_is_refused(minion_key, master_key):
    one, other = (RSA.import_key(key.to_pem()).export_key("DER") for key in (minion_key, master_key))
    mixed = one[:40] + other[40:]

    with pytest.raises(ValueError):
        read_plain(_pem("RSA PRIVATE KEY", mixed[: len(one)]))


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("change", [lambda number: number + 2, lambda number: -number, lambda number: 1])
def test_a_private_key_with_one_wrong_number_is_refused(minion_key, place, change):
    key = RSA.import_key(minion_key.to_pem())
    numbers = [int(number) for number in (key.n, key.e, key.d, key.p, key.q)]
    numbers[place] = change(numbers[place])

    with pytest.raises(ValueError):
        read_plain(_pem("RSA PRIVATE KEY", DerSequence([0, *numbers, 1, 1, 1]).encode()))


@pytest.mark.parametrize("place", range(9))
def test_a_private_key_with_octets_in_place_of_a_number_is_refused(minion_key, place):
    key = RSA.import_key(minion_key.to_pem())
    numbers = [0, *(int(number) for number in (key.n, key.e, key.d, key.p, key.q)), 1, 1, 1]
    numbers[place] = DerOctetString(b"x" * 128).encode()

    with pytest.raises(ValueError):
        read_plain(_pem("RSA PRIVATE KEY", DerSequence(numbers).encode()))


def test_a_private_key_with_an_even_modulus_is_refused():
    q = (1 << 2203) - 1
    numbers = [0, 2 * q, 5, pow(5, -1, q - 1), 2, q, 1, 1, 1]

    with pytest.raises(ValueError, match="do not match each other"):
        read_plain(_pem("RSA PRIVATE KEY", DerSequence(numbers).encode()))


def test_a_private_key_of_more_bits_than_any_has_is_refused():
    number = (1 << 40_000) - 1

    with pytest.raises(ValueError, match="it has 40000 bits"):
        read_plain(_pem("RSA PRIVATE KEY", DerSequence([0, number, 3, number - 1, 5, 7, 1, 1, 1]).encode()))


def test_modules_for_protected_keys_are_not_imported(minion_key):
    # Older libraries load it with themselves.
    code = "import sys; from salt_g.wire.rsa import PrivateKey; before = set(sys.modules)\n"
    code += "PrivateKey(sys.stdin.read()).public\n"
    code += "print('Crypto.Protocol.KDF' in set(sys.modules) - before)"

    done = subprocess.run(
        [sys.executable, "-c", code], input=minion_key.to_pem(), capture_output=True, text=True, timeout=60
    )

    assert (done.stdout, done.stderr) == ("False\n", "")


def test_the_numbers_of_a_public_key_are_what_the_library_reads(minion_key, master_key):
    for key in (minion_key.public, master_key.public):
        known = RSA.import_key(key.pem)
        assert read_public_numbers(key.pem) == (known.n, known.e)


@pytest.mark.parametrize("place", range(0, 300, 7))
def test_numbers_are_read_from_the_usual_form_alone(minion_key, place):
    der = bytearray(RSA.import_key(minion_key.public.pem).export_key("DER"))
    der[place % len(der)] ^= 0x81
    text = _pem("PUBLIC KEY", bytes(der)).strip()

    numbers = read_public_numbers(text)

    if numbers is not None:
        assert RSA.construct(numbers, consistency_check=False).export_key("DER") == bytes(der)


@given(st.binary(max_size=80))
def test_no_bytes_are_an_error_for_the_reader_of_numbers(data):
    assert read_public_numbers(_pem("PUBLIC KEY", data).strip()) is None
