"""Plans of the running call: begun, opened from a file, written to one.

Shapes: a file is JSON, 0600, of the machine that made it: the call, the document, and a signature of both.
Errors: PlanRefused with what to do; CommandExecutionError for a plan that must not be written.
"""

from __future__ import annotations

import json
import os
from typing import Any

from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError, CompileError, PlanRefused
from salt_g.process import disk
from salt_g.process.secret_hiding import hide
from salt_g.shapes.plans import PlanCall, PlanDocument, PlanFile
from salt_g.state.plan.digests import Digests, machine_digests
from salt_g.state.plan.document import MAX_BYTES
from salt_g.state.plan.runs import Applying, Recording


def recording(context: CallContext, plan: str) -> Recording:
    """Return a recording of the running call, for a plan with this id."""
    return Recording(_digests(context), plan=plan, id=id_of(context))


def applying(context: CallContext, document: PlanDocument, *, accept_opaque: bool) -> Applying:
    """Return the application of a plan in the running call; raise PlanRefused."""
    return Applying(_digests(context), document, id=id_of(context), accept_opaque=accept_opaque)


def id_of(context: CallContext) -> str:
    """Return the name of the minion, or of the resource that the call is for."""
    resource = context.resource
    return f"{resource['type']}:{resource['id']}" if resource else str(context.opts["id"])


def named_here(context: CallContext, exc: CompileError) -> PlanRefused:
    """Return the refusal of a plan whose states no longer compile, or do not get the lock."""
    return PlanRefused(f"{id_of(context)}: not applied, {'; '.join(map(str, exc.messages))}")


def write_file(context: CallContext, path: str, call: PlanCall, document: PlanDocument) -> None:
    """Write a plan to a file; raise CommandExecutionError."""
    if hide(call) != call:
        raise CommandExecutionError(
            f"{path}: not written, the arguments of {call['fun']} hold a secret: put it into pillar files"
        )
    kept: PlanFile = {"call": call, "document": document, "mac": ""}
    kept["mac"] = _digests(context).signature(kept)
    try:
        disk.write_whole(path, json.dumps(kept, indent=1) + "\n")
    except OSError as exc:
        raise CommandExecutionError(f"{path}: not written: {exc.strerror}") from exc


def read_file(context: CallContext, path: str) -> PlanFile:
    """Return the plan in a file; raise PlanRefused."""
    name = id_of(context)
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.loads(file.read(2 * MAX_BYTES))
    except OSError as exc:
        raise PlanRefused(f"{name}: not applied, {path} cannot be read: {exc.strerror}") from exc
    except ValueError as exc:
        raise PlanRefused(f"{name}: not applied, {path} is not a plan: {exc}") from exc
    if not _is_plan(kept):
        raise PlanRefused(f"{name}: not applied, {path} is not a plan")
    if not _digests(context).is_signed(kept):
        raise PlanRefused(
            f"{name}: not applied, {path} was not made by this machine, or was edited: make the plan again"
        )
    plan: PlanFile = kept
    return plan


def _is_plan(kept: Any) -> bool:
    return isinstance(kept, dict) and all(isinstance(kept.get(key), dict) for key in ("call", "document"))


def _digests(context: CallContext) -> Digests:
    cachedir = str(context.opts["cachedir"])
    try:
        return machine_digests(cachedir)
    except OSError as exc:
        where = os.path.join(cachedir, "plan.key")
        raise CommandExecutionError(f"no plans here, {where}: {exc.strerror}") from exc
