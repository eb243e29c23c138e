"""Revocation lists of an authority, built from its index."""

from __future__ import annotations

import datetime
import os
from typing import Any

from salt_g import x509
from salt_g.modules.tls._directory import Authority, authority, index_fields, write_public
from salt_g.process import disk

#: Days that a list is valid.
_DAYS_VALID = 36500
_INDEX_TIME = "%y%m%d%H%M%SZ"
_INDEX_MODE = 0o644


def create_empty_crl(
    ca_name: str,
    cacert_path: str | None = None,
    ca_filename: str | None = None,
    crl_file: str | None = None,
    digest: str = "sha256",
) -> str:
    """Create an empty revocation list; `crl_file` defaults to `crl.pem` in the authority's directory.

    Example::

        salt-g tls.create_empty_crl mine crl_file=/etc/openvpn/crl.pem
    """
    own = authority(ca_name, cacert_path, ca_filename)
    path = crl_file or f"{own.directory}/crl.pem"
    if os.path.exists(path):
        return f'CRL "{path}" already exists'
    if not own.exists():
        return f'There is no CA named "{ca_name}"'
    write_public(path, _signed(own, [], digest))
    return f'Created an empty CRL: "{path}"'


def revoke_cert(
    ca_name: str,
    CN: str,  # noqa: N803
    cacert_path: str | None = None,
    ca_filename: str | None = None,
    cert_path: str | None = None,
    cert_filename: str | None = None,
    crl_file: str | None = None,
    digest: str = "sha256",
) -> Any:
    """Revoke a certificate and rewrite the revocation list.

    The certificate is found as in `tls.get_ca_signed_cert`, or below `cert_path` if that is given; `crl_file`
    is as in `tls.create_empty_crl`.

    Example::

        salt-g tls.revoke_cert mine CN=www.example.org
    """
    own = authority(ca_name, cacert_path, ca_filename)
    if not own.exists():
        return f'There is no CA named "{ca_name}"'
    file = f"{cert_path or own.certs}/{cert_filename or CN}.crt"
    if not os.path.exists(file):
        return f'There is no client certificate named "{CN}"'
    path = crl_file or f"{own.directory}/crl.pem"
    if os.path.isdir(path):
        return {"retcode": 1, "comment": f'crl_file "{path}" is an existing directory'}
    end, number, subject = index_fields(x509.loading.certificate(file))
    lines = _lines(own)
    if any(line[0] == "R" and line[3] == number for line in lines):
        return f'"{file}" was already revoked, serial number: {number}'
    now = x509.times.now().strftime(_INDEX_TIME)
    kept = [line for line in lines if line[3] != number]
    lines = [*kept, ["R", end, now, number, "unknown", subject]]
    text = "".join("\t".join(line) + "\n" for line in lines)
    disk.write_whole(own.register, text, mode=_INDEX_MODE)
    write_public(path, _signed(own, revoked(own), digest))
    return f'Revoked Certificate: "{file}", serial number: {number}'


def revoked(own: Authority) -> list[dict[str, Any]]:
    """Return the revoked certificates in the index as entries of a revocation list."""
    return [
        {"serial_number": int(line[3], 16), "revocation_date": _moment(line[2])}
        for line in _lines(own)
        if line[0] == "R"
    ]


def _lines(own: Authority) -> list[list[str]]:
    if not os.path.exists(own.register):
        return []
    with open(own.register, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.count("\t") > 4]


def _moment(text: str) -> str:
    return datetime.datetime.strptime(text, _INDEX_TIME).strftime("%Y-%m-%d %H:%M:%S")


def _signed(own: Authority, entries: list[dict[str, Any]], digest: str) -> Any:
    plan = x509.plans.revocation_list(
        own.key, entries, signing_cert=own.certificate, days_valid=_DAYS_VALID, include_expired=True
    )
    return plan.sign(digest)
