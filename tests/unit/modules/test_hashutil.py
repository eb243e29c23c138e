import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import hashutil


def test_digests_are_hex_digits_of_utf8():
    assert hashutil.digest("get salted") == "2aacf29e92feaf528fb738bcf9d647ac"
    assert hashutil.sha256_digest("get salted") == (
        "d49859ccbc854fa68d800b5734efc70d72383e6479d545468bc300263164ff33"
    )
    with pytest.raises(CommandExecutionError, match="Hash func 'crc' is not supported."):
        hashutil.digest("x", "crc")


def test_base64_goes_there_and_back(tmp_path):
    assert hashutil.base64_b64encode("get salted") == "Z2V0IHNhbHRlZA=="
    assert hashutil.base64_b64decode("Z2V0IHNhbHRlZA==") == "get salted"
    assert hashutil.base64_encodestring("get salted") == "Z2V0IHNhbHRlZA==\n"
    assert hashutil.base64_b64decode("/w==") == b"\xff"

    hashutil.base64_decodefile("Z2V0IHNhbHRlZA==", str(tmp_path / "f"))

    assert (tmp_path / "f").read_text() == "get salted"
    assert hashutil.base64_encodefile(str(tmp_path / "f")) == "Z2V0IHNhbHRlZA==\n"


def test_signatures_are_compared():
    signature = "eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ="

    assert hashutil.hmac_signature("get salted", "shared secret", signature) is True
    assert hashutil.hmac_signature("get salted", "other secret", signature) is False
    assert hashutil.hmac_compute("get salted", "shared secret") == (
        "78159ff5bb2d5e0f8d88fe403b0a690791ccbd989830fcc433d5b960c9bf0264"
    )
