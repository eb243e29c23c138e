"""PEM texts: one normal form for all spellings of a key."""

import hashlib

import pytest

from salt_g.errors import WireError
from salt_g.wire.pem import clean_pem, fingerprint

KEY = "-----BEGIN PUBLIC KEY-----\nMIIB\nIjAN\n-----END PUBLIC KEY-----"


@pytest.mark.parametrize(
    "text", [KEY, f"\n{KEY}\n\n", KEY.replace("\n", "\r\n"), KEY.replace("\n", "  \n "), KEY.encode()]
)
def test_one_key_has_one_form_and_one_fingerprint(text):
    assert clean_pem(text) == KEY
    assert fingerprint(text) == fingerprint(KEY)


def test_the_fingerprint_is_over_the_lines_between_begin_and_end():
    digest = hashlib.sha256(b"MIIB\nIjAN\n").hexdigest()

    assert fingerprint(KEY).replace(":", "") == digest
    assert len(fingerprint(KEY, "md5").split(":")) == 16


def test_bytes_that_are_not_text_are_not_keys():
    with pytest.raises(WireError, match="a key is not PEM text"):
        clean_pem(b"\xff\xfe")
