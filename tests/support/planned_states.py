"""One state of a plan: its low chunk and tag, what it would change, and its return in test mode."""

from __future__ import annotations

from typing import Any

LOW = {"state": "file", "fun": "managed", "__id__": "conf", "name": "/x", "order": 1}
TAG = "file_|-conf_|-/x_|-managed"
DIFF = "--- \n+++ \n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"


def would(changes: Any = None, result: bool | None = None, comment: str = "") -> dict[str, Any]:
    """Return a state's return in test mode."""
    return {"name": "/x", "result": result, "changes": changes or {}, "comment": comment}
