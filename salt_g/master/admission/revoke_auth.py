"""Command `revoke_auth`: a minion deletes its own key.

Source: wire specification, section 9.6.
"""

from __future__ import annotations

import logging

from salt_g.keys.admission import ACCEPTED
from salt_g.keys.store import KeyStore
from salt_g.master.commands import FLAG, WireCommand
from salt_g.shapes.loads import RevokeLoad
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)


class RevokeAuth:
    """Handler of key revocations by minions, which it refuses unless `is_allowed`."""

    def __init__(self, keys: KeyStore, *, is_allowed: bool) -> None:
        self._may_revoke = is_allowed
        self._keys = keys

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands of this part."""
        return {
            "revoke_auth": WireCommand(self.revoke, {"preserve_minion_cache": FLAG}),
        }

    def revoke(self, request: SealedRequest, load: RevokeLoad) -> bool:
        """Delete the key of the requesting minion."""
        if not self._may_revoke:
            log.warning("%s: asked to revoke its key, but allow_minion_key_revoke is off", request.id)
            return False
        log.info("%s: revokes its own key", request.id)
        self._keys.delete({ACCEPTED: [request.id]})
        return True
