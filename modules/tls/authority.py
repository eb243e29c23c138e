"""Certificate authorities: creating and finding them, and the paths of their certificates."""

from __future__ import annotations

import os
from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.modules.tls._directory import authority, note, subject_of, write_key, write_public

_EXTENSIONS = {
    "basicConstraints": "critical, CA:TRUE, pathlen:0",
    "keyUsage": "critical, cRLSign, keyCertSign",
    "subjectKeyIdentifier": "hash",
    "authorityKeyIdentifier": "keyid:always",
}


def ca_exists(ca_name: str, cacert_path: str | None = None, ca_filename: str | None = None) -> bool:
    """Return whether an authority exists.

    Example::

        salt-g tls.ca_exists mine
    """
    return authority(ca_name, cacert_path, ca_filename).exists()


def maybe_fix_ssl_version(
    ca_name: str, cacert_path: str | None = None, ca_filename: str | None = None
) -> None:
    """Sign an authority's certificate again if it has a nonexistent X.509 version.

    Salt wrote 4 for the third version until 2014; other certificates are not changed.

    Example::

        salt-g tls.maybe_fix_ssl_version mine
    """
    own = authority(ca_name, cacert_path, ca_filename)
    mended = x509.legacy_versions.with_third_version(x509.loading.content(own.certificate).decode())
    if mended is None:
        return
    found = x509.loading.certificate(mended)
    key = x509.loading.private_key(own.key)
    write_public(own.certificate, x509.legacy_versions.re_signed(found, key))


def get_ca(ca_name: str, as_text: bool = False, cacert_path: str | None = None) -> str:
    """Return the path of an authority's certificate, or its text.

    Example::

        salt-g tls.get_ca mine as_text=True
    """
    path = authority(ca_name, cacert_path).certificate
    return _found(path, as_text, f"Certificate does not exist for {ca_name}")


def get_ca_signed_cert(
    ca_name: str,
    CN: str = "localhost",  # noqa: N803
    as_text: bool = False,
    cacert_path: str | None = None,
    cert_filename: str | None = None,
) -> str:
    """Return the path of a certificate that an authority has signed, or its text.

    Example::

        salt-g tls.get_ca_signed_cert mine CN=www.example.org
    """
    path = f"{authority(ca_name, cacert_path).certs}/{cert_filename or CN}.crt"
    return _found(path, as_text, f"Certificate does not exists for {CN}")


def get_ca_signed_key(
    ca_name: str,
    CN: str = "localhost",  # noqa: N803
    as_text: bool = False,
    cacert_path: str | None = None,
    key_filename: str | None = None,
) -> str:
    """Return the path of the key of a certificate signed by an authority, or its text.

    Example::

        salt-g tls.get_ca_signed_key mine CN=www.example.org
    """
    path = f"{authority(ca_name, cacert_path).certs}/{key_filename or CN}.key"
    return _found(path, as_text, f"Certificate does not exists for {CN}")


def create_ca(
    ca_name: str,
    bits: int = 2048,
    days: int = 365,
    CN: str = "localhost",  # noqa: N803
    C: str = "US",  # noqa: N803
    ST: str = "Utah",  # noqa: N803
    L: str = "Salt Lake City",  # noqa: N803
    O: str = "SaltStack",  # noqa: N803, E741
    OU: str | None = None,  # noqa: N803
    emailAddress: str | None = None,  # noqa: N803
    fixmode: bool = False,
    cacert_path: str | None = None,
    ca_filename: str | None = None,
    digest: str = "sha256",
    onlyif: Any = None,
    unless: Any = None,
    replace: bool = False,
) -> str | None:
    """Create an authority: a key and a self-signed certificate.

    bits, days
        The size of the key, and the validity of the certificate.
    onlyif, unless
        A command that must succeed, and one that must fail; otherwise nothing is done and None is returned.
    replace, fixmode
        Either replaces an existing certificate; its key is kept.

    Example::

        salt-g tls.create_ca mine days=3650 CN='My authority'
    """
    if (onlyif is not None and not _holds(onlyif)) or (unless is not None and _holds(unless)):
        return None
    own = authority(ca_name, cacert_path, ca_filename)
    if own.exists() and not replace and not fixmode:
        return f'Certificate for CA named "{ca_name}" already exists'
    has_key = os.path.exists(own.key)
    key = x509.loading.private_key(own.key) if has_key else x509.keys.generate("rsa", bits)
    names = {"C": C, "ST": ST, "L": L, "O": O, "OU": OU, "CN": CN, "emailAddress": emailAddress}
    settings = {"signing_private_key": key, "days_valid": int(days), **_EXTENSIONS, **subject_of(names)}
    made = x509.plans.certificate(settings).sign(digest)
    if not has_key:
        write_key(own.key, key)
    write_public(own.certificate, made)
    note(own.register, made)
    return f'Created Private Key: "{own.key}" Created CA "{ca_name}": "{own.certificate}"'


def _holds(condition: Any) -> bool:
    return bool(call("cmd.retcode", condition) == 0) if isinstance(condition, str) else bool(condition)


def _found(path: str, as_text: bool, problem: str) -> str:
    if not os.path.exists(path):
        raise ValueError(problem)
    return x509.loading.content(path).decode() if as_text else path
