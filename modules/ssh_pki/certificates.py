"""OpenSSH certificates: creation, here or by an authority's minion, and inspection."""

from __future__ import annotations

import time
from typing import Any

from salt_g import x509
from salt_g.api import opts
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError
from salt_g.modules._output_file import write
from salt_g.modules.ssh_pki.keys import refuse_existing
from salt_g.modules.ssh_pki.signing import ask_authority, local_policy, sign
from salt_g.x509 import ssh
from salt_g.x509.words import check_known

_ARGUMENTS = (
    *("all_principals", "cert_type", "copypath", "critical_options", "extensions", "key_id", "not_after"),
    *("not_before", "private_key", "private_key_passphrase", "public_key", "serial_number"),
    *("signing_private_key", "signing_private_key_passphrase", "ttl", "valid_principals"),
)


def create_certificate(
    ca_server: str | None = None,
    signing_policy: str | None = None,
    path: str | None = None,
    overwrite: bool = False,
    raw: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a certificate and return it, or write it to `path`.

    ca_server
        The minion that signs, under `signing_policy`. The master must let this minion publish
        `ssh_pki.sign_remote_certificate` (`peer`).
    signing_policy
        A policy in pillar or settings (`ssh_signing_policies`): it enforces values, and gives defaults
        (`default_extensions`, `ttl`, …) and bounds (`allowed_extensions`, `max_ttl`, …).
    cert_type
        `user` or `host`.
    signing_private_key, signing_private_key_passphrase
        The signing key.
    private_key, private_key_passphrase, public_key
        The key to certify: the private key, with its passphrase, or the public key.
    valid_principals, all_principals
        The names of users or hosts for which the certificate is valid, or all names.
    key_id
        A text that servers write to their logs.
    serial_number
        A number, or hexadecimal text; random by default.
    not_before, not_after, ttl
        Times (`2030-01-31 12:00:00`, UTC), or a period (`30d`, `12h`, seconds); the default is 30 days
        for hosts and one day for users.
    critical_options, extensions
        {name: value}, with True for options without a value (`permit-pty: true`).
    copypath
        A directory for a copy named after the serial number.
    overwrite, raw
        Replace the file `path` if it exists; return bytes instead of text.

    Example::

        salt-g ssh_pki.create_certificate ca_server=ca signing_policy=hosts public_key=/id.pub
    """
    check_known(kwargs, _ARGUMENTS)
    wanted = {name: value for name, value in kwargs.items() if name in _ARGUMENTS and value is not None}
    refuse_existing(path, overwrite)
    if ca_server:
        made = _signed_elsewhere(ca_server, signing_policy, wanted)
    else:
        made = sign(ssh.policies.enforced(local_policy(signing_policy), wanted))
    data: bytes = made.public_bytes()
    if path is None:
        return data if raw else data.decode()
    write(path, data)
    return f"Certificate written to {path}"


def expires(certificate: Any, ttl: Any = 0) -> bool:
    """Return whether a certificate has expired, or will expire within `ttl` (`30d`, `1.5h`, seconds).

    Example::

        salt-g ssh_pki.expires /root/.ssh/id_rsa-cert.pub ttl=7d
    """
    found = ssh.loading.certificate(certificate)
    return bool(found.valid_before <= time.time() + (x509.times.span_seconds(ttl) or 0))


def read_certificate(certificate: Any) -> dict[str, Any]:
    """Return the content of a certificate.

    Example::

        salt-g ssh_pki.read_certificate /root/.ssh/id_rsa-cert.pub
    """
    found = ssh.loading.certificate(certificate)
    shown: dict[str, Any] = ssh.rendering.certificate(found, with_md5=not opts.get("fips_mode"))
    return shown


def verify_signature(
    certificate: Any, signing_pub_key: Any, signing_pub_key_passphrase: str | None = None
) -> bool:
    """Return whether a certificate was signed with a key.

    Example::

        salt-g ssh_pki.verify_signature /root/.ssh/id_rsa-cert.pub /etc/ssh/ca.pub
    """
    found = ssh.loading.certificate(certificate, verify=False)
    key = ssh.loading.any_public_key(signing_pub_key, signing_pub_key_passphrase)
    return ssh.loading.is_signed(found) and x509.keys.are_same(key, found.signature_key())


def _signed_elsewhere(ca_server: str, signing_policy: str | None, wanted: dict[str, Any]) -> Any:
    """Request a signature from another minion; only the public key is sent."""
    if signing_policy is None:
        raise InvocationError(
            "signing_policy must be specified to request a certificate from a remote ca_server"
        )
    asked = dict(wanted)
    passphrase = asked.pop("private_key_passphrase", None)
    if asked.get("private_key"):
        key = ssh.loading.private_key(asked.pop("private_key"), passphrase).public_key()
        asked["public_key"] = ssh.rendering.public_key(key)
    elif asked.get("public_key"):
        asked["public_key"] = ssh.rendering.public_key(ssh.loading.public_key(asked["public_key"]))
    answer = ask_authority(ca_server, signing_policy, asked)
    try:
        return ssh.loading.certificate(answer)
    except SaltGError as exc:
        raise CommandExecutionError(f"ca_server did not return a certificate: {answer}") from exc
