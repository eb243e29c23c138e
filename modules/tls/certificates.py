"""Requests and certificates of an authority, and certificates without one."""

from __future__ import annotations

import os
from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.modules.tls._directory import authority, note, subject_of, write_key, write_public
from salt_g.process import disk

#: Extensions of requests and certificates by kind, unless pillar says otherwise (`tls.extensions:<kind>`).
_EXTENSIONS: dict[str, dict[str, dict[str, str]]] = {
    "common": {
        "csr": {"basicConstraints": "CA:FALSE"},
        "cert": {"authorityKeyIdentifier": "keyid,issuer:always", "subjectKeyIdentifier": "hash"},
    },
    "server": {
        "csr": {"extendedKeyUsage": "serverAuth", "keyUsage": "digitalSignature, keyEncipherment"},
        "cert": {},
    },
    "client": {
        "csr": {
            "extendedKeyUsage": "clientAuth",
            "keyUsage": "nonRepudiation, digitalSignature, keyEncipherment",
        },
        "cert": {},
    },
}


def get_extensions(cert_type: str) -> dict[str, dict[str, str]]:
    """Return the extensions of requests (`csr`) and certificates (`cert`) of a kind.

    Example::

        salt-g tls.get_extensions client
    """
    merged: dict[str, dict[str, str]] = {"csr": {}, "cert": {}}
    for kind in ("common", cert_type or "server"):
        given = call("pillar.get", f"tls.extensions:{kind}", False) or _EXTENSIONS.get(kind)
        if not given:
            raise ValueError(f"there are no extensions of {kind!r} in pillar tls.extensions or by default")
        for use, found in merged.items():
            found.update(given.get(use, {}))
    return merged


def create_csr(
    ca_name: str,
    bits: int = 2048,
    CN: str = "localhost",  # noqa: N803
    C: str = "US",  # noqa: N803
    ST: str = "Utah",  # noqa: N803
    L: str = "Salt Lake City",  # noqa: N803
    O: str = "SaltStack",  # noqa: N803, E741
    OU: str | None = None,  # noqa: N803
    emailAddress: str | None = None,  # noqa: N803
    subjectAltName: Any = None,  # noqa: N803
    cacert_path: str | None = None,
    ca_filename: str | None = None,
    csr_path: str | None = None,
    csr_filename: str | None = None,
    digest: str = "sha256",
    type_ext: bool = False,
    cert_type: str = "server",
    replace: bool = False,
) -> str:
    """Create a key and a signing request for an authority.

    subjectAltName
        One or several, such as `DNS:www.example.org`.
    cert_type
        `server`, `client` or a kind defined in pillar; `type_ext` adds it to the file names.

    Example::

        salt-g tls.create_csr mine CN=www.example.org
    """
    own = authority(ca_name, cacert_path, ca_filename)
    if not own.exists():
        return f'Certificate for CA named "{ca_name}" does not exist, please create it first.'
    folder = csr_path or f"{own.certs}/"
    base = os.path.join(folder, csr_filename or f"{CN}{f'_{cert_type}' if type_ext else ''}")
    if os.path.exists(f"{base}.csr") and not replace:
        return f'Certificate Request "{folder}/{os.path.basename(base)}.csr" already exists'
    names = {"C": C, "ST": ST, "L": L, "O": O, "OU": OU, "CN": CN, "emailAddress": emailAddress}
    settings: dict[str, Any] = {**get_extensions(cert_type)["csr"], **subject_of(names)}
    if subjectAltName:
        settings["subjectAltName"] = subjectAltName
    key = x509.keys.generate("rsa", bits)
    made = x509.plans.request(key, None, settings).sign(digest)
    write_key(f"{base}.key", key)
    write_public(f"{base}.csr", made)
    return f'Created Private Key: "{base}.key" Created CSR for "{CN}": "{base}.csr"'


def create_self_signed_cert(
    tls_dir: str = "tls",
    bits: int = 2048,
    days: int = 365,
    CN: str = "localhost",  # noqa: N803
    C: str = "US",  # noqa: N803
    ST: str = "Utah",  # noqa: N803
    L: str = "Salt Lake City",  # noqa: N803
    O: str = "SaltStack",  # noqa: N803, E741
    OU: str | None = None,  # noqa: N803
    emailAddress: str | None = None,  # noqa: N803
    cacert_path: str | None = None,
    cert_filename: str | None = None,
    digest: str = "sha256",
    replace: bool = False,
) -> str:
    """Create a key and a self-signed certificate.

    tls_dir
        Directory below that of all authorities; the files are in its subdirectory `certs`.

    Example::

        salt-g tls.create_self_signed_cert CN=test.example.org
    """
    own = authority(tls_dir, cacert_path)
    base = f"{own.certs}/{cert_filename or CN}"
    if os.path.exists(f"{base}.crt") and not replace:
        return f'Certificate "{cert_filename or CN}" already exists'
    names = {"C": C, "ST": ST, "L": L, "O": O, "OU": OU, "CN": CN, "emailAddress": emailAddress}
    key = x509.keys.generate("rsa", bits)
    settings = {"signing_private_key": key, "days_valid": int(days), **subject_of(names)}
    made = x509.plans.certificate(settings).sign(digest)
    write_key(f"{base}.key", key)
    write_public(f"{base}.crt", made)
    note(own.register, made)
    return f'Created Private Key: "{base}.key" Created Certificate: "{base}.crt"'


def create_ca_signed_cert(
    ca_name: str,
    CN: str,  # noqa: N803
    days: int = 365,
    cacert_path: str | None = None,
    ca_filename: str | None = None,
    cert_path: str | None = None,
    cert_filename: str | None = None,
    digest: str = "sha256",
    cert_type: str | None = None,
    type_ext: bool = False,
    replace: bool = False,
) -> Any:
    """Sign the request that `tls.create_csr` created for a CN; return a message.

    Returns {"retcode", "comment"} if the authority or the request is missing. `type_ext` and `cert_type`
    select files as in `tls.create_csr`.

    Example::

        salt-g tls.create_ca_signed_cert mine CN=www.example.org
    """
    own = authority(ca_name, cacert_path, ca_filename)
    folder = cert_path or own.certs
    request_name = f"{CN}_{cert_type}" if type_ext and cert_type else CN
    name = cert_filename or request_name
    if os.path.exists(f"{own.certs}/{name}.crt") and not replace:
        return f'Certificate "{name}" already exists'
    if not (own.exists() and os.path.exists(own.key)):
        return {"retcode": 1, "comment": f'There is no CA named "{ca_name}"'}
    if not os.path.exists(f"{folder}/{request_name}.csr"):
        return {"retcode": 1, "comment": f'There is no CSR that matches the CN "{name}"'}
    request = x509.loading.request(f"{folder}/{request_name}.csr")
    settings = {
        "signing_private_key": own.key,
        "signing_cert": own.certificate,
        "csr": request,
        "subject": request.subject,
        "days_valid": int(days),
    }
    made = x509.plans.certificate(settings).sign(digest)
    write_public(f"{folder}/{name}.crt", made)
    note(own.register, made)
    return f'Created Certificate for "{CN}": "{folder}/{name}.crt"'


def create_pkcs12(
    ca_name: str,
    CN: str,  # noqa: N803
    passphrase: str = "",
    cacert_path: str | None = None,
    replace: bool = False,
) -> str:
    """Put a certificate, its key and the authority's certificate into a PKCS#12 container.

    Example::

        salt-g tls.create_pkcs12 mine CN=www.example.org
    """
    own = authority(ca_name, cacert_path)
    base = f"{own.certs}/{CN}"
    if os.path.exists(f"{base}.p12") and not replace:
        return f'Certificate "{CN}" already exists'
    if not own.exists():
        return f'There is no CA named "{ca_name}"'
    if not (os.path.exists(f"{base}.crt") and os.path.exists(f"{base}.key")):
        return f'There is no certificate that matches the CN "{CN}"'
    data = x509.encoding.container(
        x509.loading.certificate(f"{base}.crt"),
        [x509.loading.certificate(own.certificate)],
        x509.loading.private_key(f"{base}.key"),
        passphrase=passphrase or None,
        name=CN,
    )
    disk.write_whole(f"{base}.p12", data)
    return f'Created PKCS#12 Certificate for "{CN}": "{base}.p12"'
