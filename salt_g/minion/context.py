"""Which calls of a minion need no master; see `salt_g/local.py` for how those are put together."""

from __future__ import annotations

from salt_g.config import Settings


def is_masterless(settings: Settings) -> bool:
    """Return whether calls use the files and pillar of this machine.

    So it is when `file_client` says so, and when nobody ever named a master here.
    """
    return settings.opts["file_client"] == "local" or settings.origins.get("master", "default") == "default"
