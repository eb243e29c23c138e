"""Making, opening and writing of plans in the running call.

Shapes: a plan file is JSON (mode 0600): the call, the document, and a signature of both by this machine.
Errors: PlanRefused with the reason; CommandExecutionError for a plan that must not be written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError, CompileError, PlanRefused, WireError
from salt_g.process import disk
from salt_g.process.secret_hiding import hide
from salt_g.services.protocols import FileAccess
from salt_g.shapes.plans import PlanCall, PlanDocument, PlanFile
from salt_g.state.plan.digests import Digests, machine_digests
from salt_g.state.plan.document import MAX_BYTES
from salt_g.state.plan.runs import Applying, Recording


class Planning(Protocol):
    """Engine whose next run makes or applies a plan."""

    plan: Recording | Applying | None


_Engine = TypeVar("_Engine", bound=Planning)


def planned(engine: _Engine, files: FileAccess, plan: Any, work: Callable[[_Engine], Any]) -> Any:
    """Call `work` to make a plan (if `plan` is an id) or to apply one (if it is an Applying).

    A new plan is stored in the call's scratch under `plan`. Raise PlanRefused if a plan cannot be applied.
    """
    context = api.current()
    applying = plan if isinstance(plan, Applying) else None
    recording = Recording(_digests(context), plan=str(plan), id=id_of(context))
    with files.noting_use() as used:
        if applying is not None:
            applying.use(files, used)
        engine.plan = applying or recording
        try:
            ret = work(engine)
        except CompileError as exc:
            if applying is not None:
                raise _refused(context, exc) from exc
            raise
        finally:
            engine.plan = None
        if applying is None:
            context.scratch["plan"] = recording.document(used)
    return ret


def opened(context: CallContext, plan: str, *, accept_opaque: bool) -> tuple[PlanCall, Applying]:
    """Return a plan's call and the run that applies it; raise PlanRefused if the plan is not valid here."""
    kept = _kept(context, plan)
    applying = Applying(_digests(context), kept["document"], id=id_of(context), accept_opaque=accept_opaque)
    return kept["call"], applying


def id_of(context: CallContext) -> str:
    """Return the id of the minion, or the SRN of the resource that the call is for."""
    resource = context.resource
    return f"{resource['type']}:{resource['id']}" if resource else str(context.opts["id"])


def _refused(context: CallContext, exc: CompileError) -> PlanRefused:
    """Return the error for a plan whose states no longer compile, or whose run does not get the lock."""
    return PlanRefused(f"{id_of(context)}: not applied, {'; '.join(map(str, exc.messages))}")


def write_file(context: CallContext, path: str, call: PlanCall, document: PlanDocument) -> None:
    """Write a plan to a file; raise CommandExecutionError if that fails or the call contains a secret."""
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


def _kept(context: CallContext, plan: str) -> PlanFile:
    """Return a plan: from a file for a local call, from the master for a job.

    A job cannot name files, because users who may only apply approved plans could then apply any plan on the
    machine. Raise PlanRefused if there is no valid plan.
    """
    if context.opts.get("__cli") == "salt-call":
        return read_file(context, plan)
    from salt_g.services.daemons import MinionServices

    name = id_of(context)
    load = {"cmd": "_plan", "plan": plan, "jid": str(context.job.get("jid"))}
    if context.resource:
        load["resource"] = name
    try:
        reply = context.services.of(MinionServices).master.ask_own(load)
    except (AttributeError, WireError) as exc:
        raise PlanRefused(f"{name}: not applied, the master does not answer: {exc}") from exc
    problem = reply.get("error") if isinstance(reply, dict) else "the master does not keep plans"
    if problem:
        raise PlanRefused(f"{name}: not applied, {problem}")
    try:
        return {"call": reply["call"], "document": json.loads(reply["document"]), "mac": ""}
    except (ValueError, KeyError, TypeError) as exc:
        raise PlanRefused(f"{name}: not applied, the master sent no plan: {exc}") from exc


def read_file(context: CallContext, path: str) -> PlanFile:
    """Return the plan in a file; raise PlanRefused if it is unreadable, invalid or from another machine."""
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
        raise CommandExecutionError(f"cannot make or apply plans, {where}: {exc.strerror}") from exc
