"""Admission of this minion to its master: revoking it, and creating new keys."""

from __future__ import annotations

import logging
import os

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, SaltGError

log = logging.getLogger(__name__)


def revoke_auth(preserve_minion_cache: bool = False) -> bool:
    """Delete this minion's key on the master; return whether that succeeded.

    The minion must then be accepted again. `preserve_minion_cache` keeps its cached data on the master.

    Example::

        salt-g saltutil.revoke_auth
    """
    master = getattr(services(), "master", None)
    if master is None:
        raise CommandExecutionError("this call has no master that could delete the key")
    try:
        reply = master.ask({"cmd": "revoke_auth", "preserve_minion_cache": preserve_minion_cache})
    except SaltGError as exc:
        log.error("the master did not delete the key: %s", exc)
        return False
    return bool(reply)


def regen_keys() -> None:
    """Remove the files in `pki_dir`: this minion's keys, and the public key of its master.

    The minion creates new keys at its next start and must then be accepted again.

    Example::

        salt-g saltutil.regen_keys
    """
    for name in os.listdir(str(opts["pki_dir"])):
        path = os.path.join(str(opts["pki_dir"]), name)
        if os.path.isfile(path):
            os.unlink(path)
