"""OpenSSH certificates."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.errors import InvocationError
from salt_g.shapes import StateReturn
from salt_g.states import _premade_files
from salt_g.states._extra_keywords import takes
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments
from salt_g.states._outcome import failed
from salt_g.x509 import ssh
from salt_g.x509.words import check_known

#: Default remaining time at which a certificate is renewed (s).
_TTL_REMAINING = {"user": 3600, "host": 7 * 86400}
#: Arguments of the certificate, of its signing and of its file.
_ARGUMENTS = (
    *("all_principals", "cert_type", "critical_options", "extensions", "key_id", "not_after", "not_before"),
    *("private_key", "private_key_passphrase", "public_key", "serial_number", "ttl", "valid_principals"),
)
_SIGNING = ("copypath", "signing_private_key", "signing_private_key_passphrase")


@takes(*_ARGUMENTS, *_SIGNING)
def certificate_managed(
    name: str,
    ttl_remaining: Any = None,
    ca_server: str | None = None,
    backend: str | None = None,
    backend_args: dict[str, Any] | None = None,
    signing_policy: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a certificate exists as specified, and renew it before it expires.

    ttl_remaining
        Remaining time at which the certificate is renewed (`12d`, `1.5h`, seconds); the default is 7 days for
        hosts and an hour for users.
    backend, backend_args
        An execution module to use instead of `ssh_pki`, with functions `create_certificate` and
        `get_signing_policy`, and further arguments for them.

    The other arguments, such as `cert_type`, `signing_private_key` and `private_key`, are those of
    `ssh_pki.create_certificate` and `file.managed`.

    Example::

        /etc/ssh/ssh_host_ed25519_key-cert.pub:
          ssh_pki.certificate_managed:
            - ca_server: ca
            - signing_policy: hosts
            - private_key: /etc/ssh/ssh_host_ed25519_key
            - cert_type: host
            - valid_principals: [www.example.org]
    """
    file_arguments, wanted = split_arguments(kwargs)
    if backend is None:
        # Another module knows its own arguments.
        try:
            check_known(wanted, (*_ARGUMENTS, *_SIGNING))
        except InvocationError as exc:
            return failed(name, str(exc))
    authority = _Authority(backend or "ssh_pki", backend_args or {}, ca_server, signing_policy)
    wanted = {key: value for key, value in wanted.items() if value is not None}

    def inspect(path: str) -> Found:
        try:
            found = ssh.loading.certificate(path)
        except x509.loading.Unreadable:
            return Found(None, {"replaced": name})
        return Found(found, _differences(found, wanted, authority, ttl_remaining))

    return ensure_file(
        name, Kind("certificate", "pem", inspect, lambda _: authority.sign(wanted)), file_arguments
    )


def certificate_managed_ssh(
    name: str,
    result: bool | None,
    comment: str,
    changes: dict[str, Any],
    contents: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Write a certificate created by the controlling side of an agentless run; report `result` etc. as given.

    Example::

        salt-g state.single ssh_pki.certificate_managed_ssh /root/id.pub result=True comment=made changes='{}'
    """
    data = None if contents is None else contents.encode()
    return _premade_files.content(name, result, comment, changes, data, **kwargs)


class _Authority:
    """Signing authority: this minion, another one, or a user's module."""

    def __init__(
        self, backend: str, more: Mapping[str, Any], ca_server: str | None, signing_policy: str | None
    ) -> None:
        self._backend = backend
        self._more = dict(more)
        self._ca_server = ca_server
        self._signing_policy = signing_policy

    def enforced(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with the signing policy applied."""
        function = f"{self._backend}.get_signing_policy"
        policy = call(function, self._signing_policy, ca_server=self._ca_server, **self._more)
        return dict(ssh.policies.enforced(policy, wanted))

    def public_key(self, arguments: Mapping[str, Any]) -> Any:
        """Return the public key of the signing key."""
        if self._ca_server is None and self._backend == "ssh_pki":
            key, passphrase = (arguments.get(part) for part in _SIGNING[1:])
            if not key:
                raise InvocationError(
                    "Creating a certificate locally at least requires a signing private key."
                )
            return ssh.loading.private_key(key, passphrase).public_key()
        if "signing_public_key" not in arguments:
            raise InvocationError("The remote CA server or backend module did not deliver the CA pubkey")
        return ssh.loading.any_public_key(arguments["signing_public_key"])

    def sign(self, wanted: Mapping[str, Any]) -> str:
        """Return a new certificate."""
        parts = {"ca_server": self._ca_server, "signing_policy": self._signing_policy}
        return str(call(f"{self._backend}.create_certificate", **parts, **wanted, **self._more))


def _differences(
    found: Any, wanted: Mapping[str, Any], authority: _Authority, ttl_remaining: Any
) -> dict[str, Any]:
    arguments = authority.enforced(wanted)
    plan = ssh.plans.plan(**{key: arguments[key] for key in _ARGUMENTS if key in arguments})
    number = wanted.get("serial_number")
    changes = ssh.differences.of_certificate(
        found, plan, authority.public_key(arguments), serial_number=number
    )
    remaining = x509.times.span_seconds(ttl_remaining)
    if remaining is None:
        is_user = found.type is ssh.plans.TYPES["user"]
        remaining = _TTL_REMAINING["user" if is_user else "host"]
    if found.valid_before < time.time() + remaining:
        changes["expiration"] = True
    return dict(changes)
