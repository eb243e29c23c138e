"""Text and binary data, and diffs."""

import os
import random

import pytest

from salt_g.data.text_diff import PROBE_SIZE, is_binary, is_text

TEXTS = {
    "Czech in UTF-8": "příliš žluťoučký kůň úpěl ďábelské ódy\n".encode(),
    "Greek in UTF-8": "Καλημέρα κόσμε\n".encode(),
    "one letter": "é".encode(),
    "Latin-1": "äöüß éèê àçñ\n".encode("latin-1"),
    "Greek in ISO 8859-7": "Καλημέρα\n".encode("iso8859-7"),
    "ASCII with an escape sequence": b"\x1b[31mred\x1b[0m\n",
    "nothing": b"",
}


@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS)
def test_text_of_any_language_is_text(data):
    assert not is_binary(data)


@pytest.mark.parametrize("length", range(PROBE_SIZE - 3, PROBE_SIZE + 1))
def test_a_character_that_the_probe_cuts_is_text(length):
    assert not is_binary(("x" * (PROBE_SIZE - 4) + "😀").encode()[:length])


@pytest.mark.parametrize(
    "data", [b"text\0text", b"\x89PNG\r\n\x1a\n\xff\xfe\x80\x81", b"\x1f\x8b\x08\x08\x9f\x91\xe1\x82"]
)
def test_data_of_programs_is_binary(data):
    assert is_binary(data)


def test_random_bytes_are_binary():
    generator = random.Random(7)

    assert all(is_binary(generator.randbytes(PROBE_SIZE)) for _ in range(200))


def test_a_file_is_judged_by_its_beginning(tmp_path):
    text, data = tmp_path / "text", tmp_path / "data"
    text.write_bytes("žluťoučký\n".encode() * 200)
    data.write_bytes(os.urandom(64) + b"\0")

    assert is_text(str(text)) and not is_text(str(data))
    assert not is_text(str(tmp_path / "missing"))
