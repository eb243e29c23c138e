"""Tags of events that a minion may fire on its master's bus.

A minion may fire tags of the daemons (`salt/...` and a few older names) only in the forms of the table, with
its own id in them; all other tags are free for users.
Source: wire specification, section 9.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.data import jid as jids

#: Tags that a minion may fire: `{id}` is the sender's own id, `{jid}` any job, `*` one part, `**` the rest.
ALLOWED = (
    "minion_start",
    "minion_ping",
    "_salt_error",
    "salt/minion/{id}/start",
    "salt/beacon/{id}/**",
    "salt/engines/hook/{id}/**",
    "salt/job/{jid}/prog/{id}/**",
    "salt/job/{jid}/start/{id}",
    "salt/job/{jid}/step/{id}",
    "salt/state_result/{jid}/{id}/**",
)
#: First parts of tags that are reserved for daemons.
RESERVED = frozenset(("salt", "key", "syndic", "minion", "resource", "cluster"))
#: Maximum length of a tag (characters).
MAX_TAG = 1024
_FORMS = tuple(tuple(form.split("/")) for form in ALLOWED)


def may_fire(tag: Any, id: str) -> bool:
    """Return whether the minion `id` may fire this tag."""
    if not _is_tag(tag):
        return False
    parts = tag.split("/")
    if any(_fits(parts, form, id) for form in _FORMS):
        return True
    # Refuse empty first parts, which would hide a reserved name, and jids, which are tags of job events.
    first = parts[0].strip()
    is_ours = first in RESERVED or first.startswith("_") or jids.is_jid(first[: jids.LENGTH])
    return bool(first) and not is_ours


def why_refused(tag: Any) -> str:
    """Return why a master refuses a tag that a minion may not fire, and what to do."""
    if not _is_tag(tag):
        return f"a tag must be 1 to {MAX_TAG} printable ASCII characters"
    first = tag.split("/")[0]
    return f"tags below {first!r} belong to the daemons: use a prefix of your own, such as mycompany/deploy"


def refused_tags(reply: object) -> list[str]:
    """Return the tags that a master's reply to events names as refused; stock's masters name none."""
    tags = reply.get("refused") if isinstance(reply, Mapping) else None
    return [str(tag) for tag in tags] if isinstance(tags, list) else []


def is_job(part: str) -> bool:
    """Return whether a part of a tag is a job id, which may have a suffix."""
    number, mark, rest = part[: jids.LENGTH], part[jids.LENGTH : jids.LENGTH + 1], part[jids.LENGTH + 1 :]
    return jids.is_jid(number) and (not mark or (mark == "_" and bool(rest)))


def _is_tag(tag: Any) -> bool:
    return isinstance(tag, str) and 0 < len(tag) <= MAX_TAG and tag.isascii() and tag.isprintable()


def _fits(parts: Sequence[str], form: Sequence[str], id: str) -> bool:
    if form[-1] == "**":
        form = form[:-1]
        if len(parts) <= len(form):
            return False
    elif len(parts) != len(form):
        return False
    return all(_fits_part(part, wanted, id) for part, wanted in zip(parts, form, strict=False))


def _fits_part(part: str, wanted: str, id: str) -> bool:
    if wanted == "{id}":
        return part == id
    if wanted == "{jid}":
        return is_job(part)
    return wanted in ("*", part)
