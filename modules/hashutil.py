"""Hashes, HMACs and base64 of texts and files.

Shapes: text is str (encoded as UTF-8) or bytes; digests are hex digits.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandExecutionError

_DIGESTS = ("md5", "sha256", "sha512")

Text = str | bytes


def digest(instr: Text, checksum: str = "md5") -> str:
    """Return the md5, sha256 or sha512 digest of a text.

    Example::

        salt-g hashutil.digest 'get salted'
    """
    if checksum not in _DIGESTS:
        raise CommandExecutionError(f"Hash func '{checksum}' is not supported.")
    return str(hashlib.new(checksum, _bytes(instr)).hexdigest())


def digest_file(infile: str, checksum: str = "md5") -> str:
    """Return the md5, sha256 or sha512 digest of a file's content.

    Example::

        salt-g hashutil.digest_file /etc/hosts
    """
    if not call("file.file_exists", infile):
        raise CommandExecutionError(f"File path '{infile}' not found.")
    if checksum not in _DIGESTS:
        raise CommandExecutionError(f"Hash func '{checksum}' is not supported.")
    return str(call("file.get_hash", infile, checksum))


def md5_digest(instr: Text) -> str:
    """Return the md5 digest of a text.

    Example::

        salt-g hashutil.md5_digest 'get salted'
    """
    return digest(instr, "md5")


def sha256_digest(instr: Text) -> str:
    """Return the sha256 digest of a text.

    Example::

        salt-g hashutil.sha256_digest 'get salted'
    """
    return digest(instr, "sha256")


def sha512_digest(instr: Text) -> str:
    """Return the sha512 digest of a text.

    Example::

        salt-g hashutil.sha512_digest 'get salted'
    """
    return digest(instr, "sha512")


def base64_b64encode(instr: Text) -> str:
    """Return a text in base64, in one line.

    Example::

        salt-g hashutil.base64_b64encode 'get salted'
    """
    return base64.b64encode(_bytes(instr)).decode()


def base64_b64decode(instr: Text) -> Text:
    """Return the decoded content of a base64 text, as bytes if it is not UTF-8.

    Example::

        salt-g hashutil.base64_b64decode 'Z2V0IHNhbHRlZA=='
    """
    return _text(base64.b64decode(_bytes(instr)))


def base64_encodestring(instr: Text) -> str:
    """Return a text in base64, with a line end after each 76 characters and at the end.

    Example::

        salt-g hashutil.base64_encodestring 'get salted'
    """
    return base64.encodebytes(_bytes(instr)).decode()


def base64_decodestring(instr: Text) -> Text:
    """Return the decoded content of a multi-line base64 text, as bytes if it is not UTF-8.

    Example::

        salt-g hashutil.base64_decodestring instr='Z2V0IHNhbHRlZAo='
    """
    return _text(base64.decodebytes(_bytes(instr)))


def base64_encodefile(fname: str) -> str:
    """Return a file's content in base64, with a line end after each 76 characters and at the end.

    Example::

        salt-g hashutil.base64_encodefile /path/to/binary_file
    """
    encoded = io.BytesIO()
    with open(fname, "rb") as file:
        base64.encode(file, encoded)
    return encoded.getvalue().decode()


def base64_decodefile(instr: Text, outfile: str) -> bool:
    """Write the decoded content of a base64 text to a file.

    Example::

        salt-g hashutil.base64_decodefile instr='Z2V0IHNhbHRlZAo=' outfile='/path/to/binary_file'
    """
    with open(outfile, "wb", opener=safe_files.opener) as file:
        base64.decode(io.BytesIO(_bytes(instr)), file)
    return True


def hmac_signature(string: Text, shared_secret: Text, challenge_hmac: Text) -> bool:
    """Return whether `challenge_hmac` (base64) is the SHA-256 HMAC of a text under a secret.

    Example::

        salt-g hashutil.hmac_signature salt secret 'hoVxX2132GWCjsm3bNMpI+Ooszpn2oRRM+IEMU9rsQs='
    """
    made = base64.b64encode(hmac.digest(_bytes(shared_secret), _bytes(string), "sha256"))
    return hmac.compare_digest(made, _bytes(challenge_hmac))


def hmac_compute(string: Text, shared_secret: Text) -> str:
    """Return the SHA-256 HMAC of a text under a secret, as hex digits.

    Example::

        salt-g hashutil.hmac_compute 'get salted' 'shared secret'
    """
    return hmac.digest(_bytes(shared_secret), _bytes(string), "sha256").hex()


def github_signature(string: Text, shared_secret: Text, challenge_hmac: str) -> bool:
    """Return whether a webhook's signature, `<hash>=<hex digits>`, matches its body and the secret.

    Example::

        salt-g hashutil.github_signature {} key challenge_hmac='sha1=c9963b837183dc667106461b3de91d0885f539b3'
    """
    kind, _, challenge = challenge_hmac.partition("=")
    return hmac.compare_digest(hmac.digest(_bytes(shared_secret), _bytes(string), kind).hex(), challenge)


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _text(value: bytes) -> Text:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
