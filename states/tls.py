"""Checks of the remaining validity of certificates.

Source: the `tls` state of Salt 3006.
"""

from __future__ import annotations

import datetime
import time

from salt_g.api import call, functions
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed


def __virtual__() -> bool | tuple[bool, str]:
    return True if "tls.cert_info" in functions else (False, "tls module could not be loaded")


def valid_certificate(
    name: str, weeks: int = 0, days: int = 0, hours: int = 0, minutes: int = 0, seconds: int = 0
) -> StateReturn:
    """Check that a certificate is valid and remains valid for the given time.

    Example::

        salt-g state.single tls.valid_certificate /etc/pki/www.crt weeks=4
    """
    now = time.time()
    try:
        info = call("tls.cert_info", name)
    except (OSError, CommandExecutionError) as exc:
        return failed(name, str(exc))
    if now < info["not_before"]:
        return failed(name, "Certificate is not yet valid")
    if now > info["not_after"]:
        return failed(name, "Certificate is expired")
    remaining = datetime.timedelta(seconds=info["not_after"] - now)
    least = datetime.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    if remaining < least:
        return failed(name, f"Certificate will expire in {remaining}, which is less than {least}")
    return as_wanted(name, f"Certificate is valid for {remaining}")
