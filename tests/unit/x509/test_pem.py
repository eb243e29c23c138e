"""PEM text: entries, lost line breaks, files with several."""

import pytest

from salt_g import x509
from salt_g.errors import InvocationError

BODY = "QUJD" * 20
ENTRY = f"-----BEGIN CERTIFICATE-----\n{BODY[:64]}\n{BODY[64:]}\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    "text",
    [
        ENTRY,
        ENTRY.replace("\n", "\\n"),
        ENTRY.replace("\n", " ").strip(),
        f"# comment\n{ENTRY}{ENTRY}",
        f"  {ENTRY.replace(chr(10), chr(10) + '    ')}",
    ],
)
def test_an_entry_gets_its_line_breaks_back(text):
    assert x509.pem.entry(text, "CERTIFICATE") == ENTRY


def test_an_entry_of_another_kind_is_not_taken():
    with pytest.raises(InvocationError, match="does not contain a single entry of type CSR"):
        x509.pem.entry(ENTRY, "CSR")


def test_an_error_does_not_quote_a_private_key():
    with pytest.raises(InvocationError) as refused:
        x509.pem.entry("-----BEGIN PRIVATE KEY----- c2VjcmV0", "PRIVATE KEY")

    assert "c2VjcmV0" not in str(refused.value)


def test_a_file_with_several_entries_is_split():
    other = ENTRY.replace("CERTIFICATE", "PRIVATE KEY")

    assert x509.pem.split(f"note\n{other}\n{ENTRY}rest\n".encode()) == [other.encode(), ENTRY.encode()]
