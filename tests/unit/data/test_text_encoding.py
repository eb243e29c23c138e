"""Encodings of texts edited by states."""

import pytest

from salt_g.data.text_encoding import encoded, encoding_of, file_encoding
from salt_g.errors import CommandExecutionError


@pytest.mark.parametrize(
    ("content", "encoding"), [(b"", "utf-8"), ("ä€".encode(), "utf-8"), (bytes(range(256)), "latin-1")]
)
def test_each_file_comes_back_unchanged(tmp_path, content, encoding):
    path = tmp_path / "f"
    path.write_bytes(content)

    assert file_encoding(str(path)) == encoding_of(content) == encoding
    assert encoded(content.decode(encoding), encoding, str(path)) == content


def test_text_that_the_file_cannot_hold_is_refused_with_its_path():
    with pytest.raises(CommandExecutionError, match=r"/etc/x is not UTF-8 text and cannot hold '€'"):
        encoded("5 €", "latin-1", "/etc/x")
