"""Directory of an authority: keys, certificates and the index of signed certificates.

Shapes: a line of `index.txt` has the fields of `openssl ca`: status, end, revocation, number, file, subject.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from salt_g import x509
from salt_g.api import call, scratch
from salt_g.process import disk

_DEFAULT = "/etc/pki"
_SET = "ca.contextual_cert_base_path"
_PUBLIC_FILE = 0o644
#: Time format of the index.
_INDEX_TIME = "%y%m%d%H%M%SZ"
#: The index's words for attributes that have another name here.
_INDEX_WORDS = {"MAIL": "emailAddress"}


def cert_base_path(cacert_path: str | None = None) -> str:
    """Return the directory that contains the directories of all authorities.

    Example::

        salt-g tls.cert_base_path
    """
    return str(cacert_path or scratch.get(_SET) or call("config.option", "ca.cert_base_path") or _DEFAULT)


def set_ca_path(cacert_path: str | None) -> str:
    """Use another directory of authorities for the rest of the call or state run; return its path.

    Example::

        salt-g tls.set_ca_path /etc/certs
    """
    if cacert_path:
        scratch[_SET] = cacert_path
    return cert_base_path()


class Authority(NamedTuple):
    """Paths of the files of one authority; `file` is the name of certificate and key without extension."""

    name: str
    file: str

    @property
    def directory(self) -> str:
        """Directory of the authority's files."""
        return f"{cert_base_path()}/{self.name}"

    @property
    def certs(self) -> str:
        """Directory of the signed certificates."""
        return f"{self.directory}/certs"

    @property
    def certificate(self) -> str:
        """Path of the authority's certificate."""
        return f"{self.directory}/{self.file}.crt"

    @property
    def key(self) -> str:
        """Path of the authority's private key."""
        return f"{self.directory}/{self.file}.key"

    @property
    def register(self) -> str:
        """Path of the index of signed certificates."""
        return f"{self.directory}/index.txt"

    def exists(self) -> bool:
        """Return whether the authority has been created."""
        return os.path.exists(self.certificate)


def authority(name: str, cacert_path: str | None = None, ca_filename: str | None = None) -> Authority:
    """Return the files of an authority; `cacert_path` also applies to later calls, see `set_ca_path`."""
    set_ca_path(cacert_path)
    return Authority(name, ca_filename or f"{name}_ca_cert")


def write_key(path: str, key: Any) -> None:
    """Write a private key, readable only by its owner."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    disk.write_whole(path, x509.encoding.private_key(key, "pem"))


def write_public(path: str, thing: Any) -> None:
    """Write a certificate, request or revocation list."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    disk.write_whole(path, x509.encoding.public(thing), mode=_PUBLIC_FILE)


def index_fields(certificate: Any) -> tuple[str, str, str]:
    """Return expiry, serial number and subject of a certificate, as written in the index."""
    subject = "".join(
        f"/{_INDEX_WORDS.get(key, key)}={value}"
        for key, value in x509.names.plain(certificate.subject).items()
    )
    end = certificate.not_valid_after_utc.strftime(_INDEX_TIME)
    return end, f"{certificate.serial_number:X}", subject


def note(index: str, certificate: Any) -> None:
    """Add a certificate to an index."""
    end, number, subject = index_fields(certificate)
    with open(index, "a", encoding="utf-8") as file:
        file.write(f"V\t{end}\t\t{number}\tunknown\t{subject}\n")


def subject_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a subject that are not empty, with `emailAddress` as `MAIL`."""
    words = {"MAIL": arguments.pop("emailAddress", None), **arguments}
    return {key: value for key, value in words.items() if value}
