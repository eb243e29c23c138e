"""Certificate signing requests."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.modules.x509._output import deliver
from salt_g.x509.words import check_choice, current_keywords

_ENCODINGS = ("der", "pem")


def create_csr(
    private_key: Any,
    private_key_passphrase: str | None = None,
    digest: str = "sha256",
    encoding: str = "pem",
    path: str | None = None,
    raw: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a signing request and return it, or write it to `path`.

    private_key
        The private key of the requested certificate; it signs the request.
    digest
        The digest of the signature.
    encoding
        `pem`, or `der`, which is returned in base64.
    raw
        Return bytes.

    Further keywords are `subject`, its attributes (`CN`, `O`, …) and extensions, see
    `x509.create_certificate`; extensions that only the issuer can set are left out.

    Example::

        salt-g x509.create_csr private_key=/etc/pki/my.key CN=www.example.org
    """
    given = current_keywords(kwargs)
    digest = given.pop("digest", digest)
    check_choice("encoding", encoding, _ENCODINGS)
    made = x509.plans.request(private_key, private_key_passphrase, given).sign(digest)
    return deliver(x509.encoding.public(made, encoding), encoding, path=path, raw=raw, what="CSR")


def encode_csr(csr: Any, encoding: str = "pem", raw: bool = False) -> Any:
    """Return a signing request in another encoding.

    Example::

        salt-g x509.encode_csr /etc/pki/my.csr encoding=der
    """
    check_choice("encoding", encoding, _ENCODINGS)
    data = x509.encoding.public(x509.loading.request(csr), encoding)
    return deliver(data, encoding, path=None, raw=raw, what="CSR")
