"""Documents of plans: received with the returns of test runs, sent to the minions that apply the plans.

A document is JSON text that only its minion reads and signs; here it is counted and shown.
Errors: none; documents that do not belong to a plan are logged and dropped.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.loader.job_arguments import split_arguments
from salt_g.master.plans.kept_plans import MAX_BYTES, KeptPlans
from salt_g.process.offload import offload
from salt_g.report.plan_text import counts_of
from salt_g.shapes import is_low_tag
from salt_g.shapes.loads import LoadFields, ReturnLoad
from salt_g.shapes.plans import PlanRecord

log = logging.getLogger(__name__)

#: Texts of a chunk that are shown.
_TEXTS = ("id", "fun", "name", "verdict", "shown", "text", "opaque")
#: Reasons why a minion has no plan.
STOCK = "made no plan: it runs stock Salt, or an older salt-g"
SILENT = "did not return"
UNREADABLE = "sent a plan that cannot be read"


def take_document(kept: KeptPlans, load: ReturnLoad, plan: Mapping[str, Any]) -> None:
    """Store the plan document in a return, after checking that it belongs to the job."""
    id, document = plan.get("id"), plan.get("document")
    record = kept.read(id) if isinstance(id, str) and id.isalnum() else None
    if record is None or record["is_closed"] or record["jid"] != load["jid"]:
        log.warning("audit: %s sent a plan that was not requested or is closed: %.64r", load["id"], id)
    elif not isinstance(document, str) or len(document) > MAX_BYTES:
        log.warning("%s: its part of plan %s is not text of at most %d bytes", load["id"], id, MAX_BYTES)
    elif not kept.has_room(record["id"], load["id"], len(document)):
        log.warning("%s: its part of plan %s is dropped, because the plan is full", load["id"], id)
    else:
        kept.put_document(record["id"], load["id"], load.get("minion") or load["id"], document)


def given(kept: KeptPlans, minion: str, load: LoadFields) -> dict[str, Any]:
    """Return {call, document} of a minion or its resource, {error} unless the job applies the plan."""
    record = kept.read(str(load["plan"])) if str(load["plan"]).isalnum() else None
    if record is None:
        return {"error": "the master keeps no such plan; it may have expired"}
    if not any(one["jid"] == load["jid"] for one in record["applied"]):
        log.warning("audit: %s: plan %s was not applied by job %.64s", minion, record["id"], load["jid"])
        return {"error": f"plans are applied by `salt-g plan apply {record['id']}` only"}
    resource = str(load.get("resource") or "")
    for name in (resource, resource.partition(":")[2]) if resource else (minion,):
        found = kept.document(record["id"], name)
        if found is None or found["minion"] != minion or record["planned"].get(name) != _digest(found):
            continue
        args, kwargs = split_arguments(record["arg"])
        call = {"fun": record["fun"], "args": args, "kwargs": kwargs}
        return {"call": call, "document": found["document"]}
    return {"error": f"the plan has no part for {resource or minion}"}


def readable(kept: KeptPlans, id: str) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield (name, shown document) of a plan, None for unreadable ones and beyond MAX_BYTES in total."""
    left = MAX_BYTES
    for name, found in kept.documents(id):
        left -= len(found["document"])
        yield name, offload(_read, found["document"]) if left >= 0 else None


def closed(kept: KeptPlans, record: PlanRecord, returns: Mapping[str, Any]) -> PlanRecord:
    """Return the record of a plan, closed to more documents; `returns` are those of its test run."""
    planned, refused, size = {}, {}, 0

    def readable_ones() -> Iterator[Mapping[str, Any]]:
        # One at a time, because together the documents may be larger than a plan is allowed to be.
        nonlocal size
        for name, found in kept.documents(record["id"]):
            shown = offload(_read, found["document"])
            if shown is None:
                refused[name] = UNREADABLE
                continue
            size += len(found["document"])
            planned[name] = _digest(found)
            yield shown

    counts = counts_of(readable_ones())
    for name in record["minions"]:
        if name not in planned:
            refused.setdefault(name, _why(returns.get(name)))
    return {
        **record,
        "is_closed": True,
        "refused": refused,
        "counts": counts,
        "size": size,
        "planned": planned,
    }


def _digest(found: Mapping[str, str]) -> str:
    """Return the digest of a document, by which a document that replaces it later is recognized."""
    return hashlib.sha256(f"{found['minion']}\0{found['document']}".encode()).hexdigest()


def _why(returned: Any) -> str:
    if returned is None:
        return SILENT
    value = returned.get("return")
    if isinstance(value, Mapping) and all(map(is_low_tag, value)):
        return STOCK
    lines = value if isinstance(value, list) else str(value).splitlines()
    return f"ran no states: {str(next(iter(lines), ''))[:200]}"


def _read(text: str) -> dict[str, Any] | None:
    """Return a document in the form in which it is shown, without digests; None if it is malformed.

    A minion may send anything: endless nesting, numbers beyond any float, lone surrogates.
    """
    try:
        document = json.loads(text)
        chunks = [{key: _text(chunk[key]) for key in _TEXTS} for chunk in document["chunks"]]
        return {"made": float(document["made"]), "version": _text(document["version"]), "chunks": chunks}
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _text(value: Any) -> str:
    """Return text that can be sent to a client."""
    return str(value).encode(errors="replace").decode()
