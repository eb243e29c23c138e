"""This minion's admission to its master: revoking it, and creating new keys."""

from __future__ import annotations

import logging
import os

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, SaltGError

log = logging.getLogger(__name__)


def revoke_auth(preserve_minion_cache: bool = False) -> bool:
    """Have the master forget this minion's key; return whether it did.

    The minion has to be accepted again. `preserve_minion_cache` keeps the master's cache of it.

    Example::

        salt-g saltutil.revoke_auth
    """
    master = getattr(services(), "master", None)
    if master is None:
        raise CommandExecutionError("this call has no master that could forget a key")
    try:
        reply = master.ask({"cmd": "revoke_auth", "preserve_minion_cache": preserve_minion_cache})
    except SaltGError as exc:
        log.error("the master has not taken the wish to be forgotten: %s", exc)
        return False
    return bool(reply)


def regen_keys() -> None:
    """Remove this minion's keys; it makes new ones when it starts again, and has to be accepted again.

    Example::

        salt-g saltutil.regen_keys
    """
    for name in os.listdir(str(opts["pki_dir"])):
        path = os.path.join(str(opts["pki_dir"]), name)
        if os.path.isfile(path):
            os.unlink(path)
