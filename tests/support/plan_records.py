"""Records of kept plans for tests of the master's plans, and documents of minions for them."""

from __future__ import annotations

import json
from typing import Any

from salt_g.master.plans.kept_plans import LIFETIME

#: Job and id of the plan.
JID, ID = "20260102030405678901", "7f3a91"


def record(**more: Any) -> dict[str, Any]:
    """Return the record of a plan of ann for web1 and web2."""
    return {
        "id": ID, "name": "web.plan", "fun": "state.apply", "arg": ["web", {"__kwarg__": True, "test": True}],
        "user": "ann", "module": "", "made": 1000.0, "until": 1000.0 + LIFETIME, "jid": JID,
        "minions": ["web1", "web2"],
        "is_closed": False, "refused": {}, "counts": {}, "size": 0, "planned": {}, "approvals": [],
        "applied": [], **more,
    }  # fmt: skip


def document(*verdicts: str, opaque: str = "") -> str:
    """Return the text of a document with chunks that have these verdicts."""
    chunks = [
        {"id": "x", "fun": "file.managed", "name": "/x", "verdict": verdict, "shown": "+1 -1", "text": "",
         "opaque": opaque, "low": "digest"}
        for verdict in verdicts
    ]  # fmt: skip
    return json.dumps({"form": 1, "version": "1", "made": 1000, "chunks": chunks})
