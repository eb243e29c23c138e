"""Signing policies, and certificates for other minions.

`modules/_authority.py` has the request and the permission check.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules import _authority
from salt_g.modules._output_file import write
from salt_g.x509 import ssh
from salt_g.x509.policies import as_mapping

#: Secrets of an authority, never sent to other minions.
_SECRET = ("signing_private_key", "signing_private_key_passphrase")
#: Settings allowed only in the policy: keys and directories of this machine.
_OURS_TO_SAY = (*_SECRET, "copypath", "private_key", "private_key_passphrase", "ca_server")
#: Arguments about signing or storing a certificate, not its content.
_NOT_IN_CERTIFICATES = (*_SECRET, "copypath", "minions")


def get_signing_policy(signing_policy: str | None, ca_server: str | None = None) -> dict[str, Any]:
    """Return a signing policy of this minion, or of the minion `ca_server`, there without its secrets.

    The result is {} if this minion has no such policy.

    Example::

        salt-g ssh_pki.get_signing_policy www
    """
    return local_policy(signing_policy) if ca_server is None else _remote_policy(ca_server, signing_policy)


def sign_remote_certificate(
    signing_policy: str, kwargs: dict[str, Any], get_signing_policy_only: bool = False, **more_kwargs: Any
) -> dict[str, Any]:
    """Sign a certificate for another minion, requested by its `ssh_pki.create_certificate`.

    kwargs
        The arguments of `ssh_pki.create_certificate`.
    get_signing_policy_only
        Return the policy without its secrets, and the public key of the authority.

    Example::

        salt-g ssh_pki.sign_remote_certificate www '{public_key: /etc/ssh/ssh_host_rsa_key.pub}'
    """
    return _authority.answer(
        local_policy(signing_policy),
        more_kwargs.get("__pub_id"),
        lambda policy: _public_part(policy) if get_signing_policy_only else _signed(policy, kwargs),
    )


def local_policy(name: str | None) -> dict[str, Any]:
    """Return a signing policy of this minion's pillar or settings, or {} if there is none."""
    return as_mapping(_authority.own_policy("ssh_signing_policies", name))


def ask_authority(
    ca_server: str, signing_policy: str | None, arguments: dict[str, Any], *, only_policy: bool = False
) -> Any:
    """Return the answer of a minion to `ssh_pki.sign_remote_certificate`."""
    function = "ssh_pki.sign_remote_certificate"
    return _authority.ask(function, ca_server, signing_policy, arguments, only_policy=only_policy)


def sign(arguments: Mapping[str, Any]) -> Any:
    """Sign a certificate from arguments with the policy applied; write a copy if one is requested."""
    if not arguments.get("signing_private_key"):
        raise InvocationError("Creating a certificate locally at least requires a signing private key.")
    own = {name: value for name, value in arguments.items() if name not in _NOT_IN_CERTIFICATES}
    key = ssh.loading.private_key(
        arguments["signing_private_key"], arguments.get("signing_private_key_passphrase")
    )
    made = ssh.plans.plan(**own).sign(key)
    if arguments.get("copypath"):
        write(os.path.join(arguments["copypath"], f"{made.serial:x}.crt"), made.public_bytes())
    return made


def _remote_policy(ca_server: str, signing_policy: str | None) -> dict[str, Any]:
    return _authority.remembered_policy(
        "ssh_pki",
        ca_server,
        signing_policy,
        lambda: as_mapping(ask_authority(ca_server, signing_policy, {}, only_policy=True)),
    )


def _signed(policy: dict[str, Any], kwargs: dict[str, Any]) -> bytes:
    asked = {name: value for name, value in kwargs.items() if name not in _OURS_TO_SAY}
    made: bytes = sign(ssh.policies.enforced(policy, asked)).public_bytes()
    return made


def _public_part(policy: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in policy.items() if name not in _SECRET}
    if policy.get("signing_private_key"):
        key = ssh.loading.private_key(
            policy["signing_private_key"], policy.get("signing_private_key_passphrase")
        )
        shown["signing_public_key"] = ssh.rendering.public_key(key.public_key()).encode()
    return shown
