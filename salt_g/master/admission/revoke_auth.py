"""Command `revoke_auth`: a minion deletes its own key.

Source: wire specification, section 9.6.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.keys.admission import ACCEPTED
from salt_g.keys.store import KeyStore
from salt_g.master.commands import FLAG, WireCommand
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)


class RevokeAuth:
    """Handler of key revocations by minions."""

    def __init__(self, opts: Mapping[str, Any], keys: KeyStore) -> None:
        self._may_revoke = bool(opts["allow_minion_key_revoke"])
        self._keys = keys

    def commands(self) -> dict[str, WireCommand]:
        """Return what minions may ask of this."""
        return {
            "revoke_auth": WireCommand(self.revoke, {"preserve_minion_cache": FLAG}),
        }

    def revoke(self, request: SealedRequest, load: dict[str, Any]) -> bool:
        """Delete the key of the requesting minion."""
        if not self._may_revoke:
            log.warning("%s: asked to revoke its key, but allow_minion_key_revoke is off", request.id)
            return False
        log.info("%s: revokes its own key", request.id)
        self._keys.delete({ACCEPTED: [request.id]})
        return True
