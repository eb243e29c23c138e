"""Certificate signing requests."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments


def csr_managed(
    name: str,
    private_key: Any,
    private_key_passphrase: str | None = None,
    digest: str = "sha256",
    encoding: str = "pem",
    subject: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a signing request exists as specified.

    private_key
        The private key of the requested certificate.
    encoding
        `pem` or `der`.

    Further keywords are those of `x509.create_csr` and `file.managed`.

    Example::

        salt-g state.single x509.csr_managed /etc/pki/www.csr private_key=/etc/pki/www.key CN=www.example.org
    """
    file_arguments, wanted = split_arguments(kwargs)
    digest = wanted.pop("digest", digest)
    if subject is not None:
        wanted["subject"] = subject

    def inspect(path: str) -> Found:
        plan = x509.plans.request(private_key, private_key_passphrase, wanted)
        try:
            found, there = x509.loading.request_and_encoding(path)
        except x509.loading.Unreadable:
            return Found(None, {"replaced": name})
        except x509.loading.InvalidVersion:
            # The first `x509` module created requests with a version number that does not exist.
            return Found(None, {"invalid_version": True, "replaced": name})
        changes = {} if there == encoding else {"encoding": encoding}
        digest_changes = x509.differences.of_digest(found, digest)
        return Found(found, {**digest_changes, **changes, **x509.differences.of_request(found, plan)})

    def make(found: Found) -> str:
        if not set(found.changes) - {"encoding"}:
            return str(call("x509.encode_csr", found.thing, encoding=encoding))
        return str(
            call(
                "x509.create_csr",
                private_key,
                private_key_passphrase=private_key_passphrase,
                digest=digest,
                encoding=encoding,
                **wanted,
            )
        )

    return ensure_file(name, Kind("certificate signing request", encoding, inspect, make), file_arguments)
