"""Routes of the history: changes made by state runs, and drift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called

#: Maximum number of ids in an answer, as for targets.
MOST_IDS = 1000


def list_changes(called: Called) -> Answer:
    """Answer GET /history: changes grouped by job and content, newest first."""
    reply = _asked(called, "history", **called.query)
    return Answer({"items": [_shown(group) for group in reply["groups"]], "next": reply["next"]})


def show_text(called: Called) -> Answer:
    """Answer GET /history/texts/{digest}: a diff, or changes of another kind as JSON."""
    try:
        digest = bytes.fromhex(called.names["digest"])
    except ValueError:
        digest = b""
    text = _asked(called, "history_text", digest=digest)["text"]
    if not text:
        raise Refusal(404, "no text with this digest is kept; GET /v1/history shows the digests")
    return Answer({"text": text})


def show_drift(called: Called) -> Answer:
    """Answer GET /drift: changes made outside state runs, grouped by content."""
    reply = _asked(called, "drift", since=called.query["since"])
    return Answer(
        {
            "items": [_shown(group) for group in reply["drift"]],
            "not_tested": reply["not_tested"][:MOST_IDS],
            "more": max(0, len(reply["not_tested"]) - MOST_IDS),
            "is_cut": reply["is_cut"],
        }
    )


def _asked(called: Called, view: str, **query: Any) -> Any:
    reply = called.ask(view, **query)
    if "off" in reply:
        raise Refusal(404, "this master keeps no history; set history: True in its settings and restart it")
    return reply


def _shown(group: Mapping[str, Any]) -> dict[str, Any]:
    """Return a group as /v1 shows it: the digest of the text ('' for none), and a limited list of minions."""
    minions = group["minions"]
    return {
        **group,
        "text": group["text"].hex(),
        "minions": minions[:MOST_IDS],
        "count": len(minions),
    }
