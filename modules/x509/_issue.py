"""Signing of a certificate, for this minion or others, and the copy that a policy requests."""

from __future__ import annotations

import os
from typing import Any

from salt_g import x509
from salt_g.modules._output_file import write

#: Arguments about signing or storing a certificate, not its content.
_NOT_IN_CERTIFICATES = ("ca_server", "copypath", "digest", "minions", "prepend_cn", "signing_policy")


def sign(arguments: dict[str, Any]) -> tuple[Any, Any]:
    """Sign a certificate from arguments with the policy applied; return it, and its private key if given."""
    own = {name: value for name, value in arguments.items() if name not in _NOT_IN_CERTIFICATES}
    plan = x509.plans.certificate(own)
    made = plan.sign(arguments.get("digest") or "sha256")
    if arguments.get("copypath"):
        name = x509.names.common_name(made.subject) if arguments.get("prepend_cn") else None
        file = f"{name}-{made.serial_number:x}.crt" if name else f"{made.serial_number:x}.crt"
        write(os.path.join(arguments["copypath"], file), x509.encoding.public(made))
    return made, plan.key
