"""One-time codes and their proofs."""

import os

import pytest

from salt_g.errors import WireError
from salt_g.wire.invitation import command, new_code, offer, place, prove, read_code, read_offer


def test_a_code_is_read_back_as_it_was_printed():
    code = new_code(os.urandom)

    assert read_code(f" {str(code).upper()}\n") == code
    assert read_code(str(code)).key == code.key


@pytest.mark.parametrize("text", ["", "abc", "abcdefgh-" + "a" * 31, "abcdefg1-" + "a" * 32, "é" * 41])
def test_other_text_is_not_a_code(text):
    with pytest.raises(WireError, match="not an invitation code"):
        read_code(text)


def test_an_offer_holds_neither_the_secret_nor_what_masters_keep():
    code = new_code(os.urandom)

    made = offer(code, "m1", "KEY")

    assert str(code).partition("-")[2] not in made
    assert code.key.hex() not in made
    assert read_offer(made) == (code.number, prove(code.key, "m1", "KEY"))


def test_a_proof_is_for_one_id_and_one_key():
    key = new_code(os.urandom).key

    proofs = {prove(key, *about) for about in (("m1", "KEY"), ("m2", "KEY"), ("m1", "OTHER"), ("m1K", "EY"))}

    assert len(proofs) == 4


def test_codes_with_the_same_secret_have_keys_of_their_own():
    one, two = new_code(lambda size: b"a" * size), new_code(lambda size: b"b" * size)

    assert one._replace(number=two.number).key != one.key


@pytest.mark.parametrize("value", [None, 1, b"x", "", "a:b", ["abcdefgh:"], "abcdefgh:" + "0" * 65])
def test_other_values_are_not_offers(value):
    assert read_offer(value) is None


@pytest.mark.parametrize(
    ("address", "port", "written"),
    [
        ("master.example.org", 4506, "master.example.org"),
        ("master.example.org", 5506, "master.example.org:5506"),
        # Behind another address, whose port is another as well.
        ("nat.example.org:7506", 4506, "nat.example.org:7506"),
        ("nat.example.org:7506", 5506, "nat.example.org:7506"),
        ("2001:db8::1", 4506, "2001:db8::1"),
        ("2001:db8::1", 5506, "[2001:db8::1]:5506"),
        ("[2001:db8::1]", 5506, "[2001:db8::1]:5506"),
        ("[2001:db8::1]:7506", 5506, "[2001:db8::1]:7506"),
    ],
)
def test_an_address_is_written_as_minions_read_it(address, port, written):
    assert place(address, port) == written
    assert f" --master {written} --finger " in command({"ret_port": port}, address, "aa:bb", "CODE")


@pytest.mark.parametrize("address", ["", "a b", "a;reboot", "$(id)", "a:b", "a:1:2 x", "-o"])
def test_an_invalid_address_is_no_part_of_a_command(address):
    with pytest.raises(WireError, match="not an address of a master"):
        command({"ret_port": 4506}, address, "aa:bb", "CODE")
