"""PEM text and files."""

from __future__ import annotations

from salt_g import x509
from salt_g.errors import InvocationError
from salt_g.modules._output_file import files_of, write

#: Kinds, as regular expressions, of the entries that `write_pem` keeps after and before a certificate.
_DH_PARAMETERS = "DH PARAMETERS"
_PRIVATE_KEY = "(?:RSA )?PRIVATE KEY"


def get_pem_entries(glob_path: str) -> dict[str, bytes]:
    """Return {path: first PEM entry} of the files that match a pattern; files without one are left out.

    Example::

        salt-g x509.get_pem_entries '/etc/pki/*.crt'
    """
    found = {}
    for path in files_of(glob_path):
        try:
            found[path] = get_pem_entry(path)
        except (InvocationError, UnicodeDecodeError):
            continue
    return found


def get_pem_entry(text: str, pem_type: str | None = None) -> bytes:
    """Return the first PEM entry of a text or file, with spaces and line breaks normalized.

    pem_type
        Kind of the entry, such as `CERTIFICATE` or `RSA PRIVATE KEY`.

    Example::

        salt-g x509.get_pem_entry /etc/pki/my.crt pem_type=CERTIFICATE
    """
    given = text
    if isinstance(text, bytes):
        given = text.decode()
    elif x509.loading.is_file(text):
        given = x509.loading.content(text).decode()
    return x509.pem.entry(given, pem_type).encode("ascii")


def write_pem(text: str, path: str, overwrite: bool = True, pem_type: str | None = None) -> str:
    """Write the first PEM entry of a text or file to `path`, with spaces and line breaks normalized.

    overwrite
        False keeps a private key and DH parameters of the old file; only with `pem_type=CERTIFICATE`.
    pem_type
        Kind of the entry, as in `x509.get_pem_entry`.

    Example::

        salt-g x509.write_pem /tmp/new.crt path=/etc/pki/my.crt pem_type=CERTIFICATE
    """
    entry = get_pem_entry(text, pem_type)
    before = after = b""
    if pem_type == "CERTIFICATE" and not overwrite and x509.loading.is_file(path):
        before, after = _entry_of(path, _PRIVATE_KEY), _entry_of(path, _DH_PARAMETERS)
    write(path, before + entry + after)
    return f"PEM written to {path}"


def _entry_of(path: str, kind: str) -> bytes:
    try:
        return get_pem_entry(path, kind)
    except InvocationError:
        return b""
