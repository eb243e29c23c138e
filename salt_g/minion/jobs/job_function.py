"""Execution of a job's functions, with results in stock's form and texts.

This is the only place where errors in plugins become returns.
Shapes: takes a load as published, with positional and keyword arguments in one list, which
`loader/job_arguments.py` parses; returns {jid, fun, fun_args, return, retcode, success, out?, ...}.
Source: wire specification, sections 7.2 and 13.2; texts and codes are stock's, tested against stock.
"""

from __future__ import annotations

import inspect
import logging
import signal
import traceback
from collections import ChainMap
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import (
    CommandExecutionError,
    CommandNotFound,
    FileServerError,
    InvocationError,
    NoSuchFunction,
    NotOffered,
    UnknownKeywords,
)
from salt_g.loader.arguments import fit
from salt_g.loader.current_values import plain_return
from salt_g.loader.job_arguments import split_arguments
from salt_g.minion.jobs.executors import executors_of, run_through
from salt_g.minion.jobs.running_jobs import JobEnded
from salt_g.process.secret_hiding import hide
from salt_g.report.ended_jobs import ENDED, INTERRUPTED, ended_text
from salt_g.safe_files.links import UntrustedPath
from salt_g.services.plugins import UNFINISHED
from salt_g.shapes import CallArguments
from salt_g.shapes.loads import MAX_DIGESTS, MAX_ENDED, JobLoad, ReturnLoad
from salt_g.shapes.plans import PlanDocument

log = logging.getLogger(__name__)

#: The only function permitted in blackout, besides those whitelisted in pillar or grains.
ALLOWED_IN_BLACKOUT = "saltutil.refresh_pillar"
BLACKOUT = (
    'Minion in blackout mode. Set "minion_blackout" to False in pillar or grains to resume operations.'
    " Only saltutil.refresh_pillar allowed in blackout mode."
)
#: Retcode of failures with stock's texts.
FAILED = 1
#: Fields of a publication that functions with `**kwargs` do not receive as `__pub_<name>`.
NOT_PUBLISHED = frozenset(("serial", "sig", "sig_algo"))
_PUBLISHED = "__pub_"


class Outcome(NamedTuple):
    """Result of one function; `out` is the name of an outputter, or ''.

    `places` are the files and lines of compile errors, for display; `plan` is the plan of a test run.
    """

    value: Any
    retcode: int
    success: bool
    out: str = ""
    places: Sequence[str] = ()
    plan: PlanDocument | None = None
    #: Digests of a state run's chunks (`state/run/low_digests.py`), for masters with a history.
    digests: bytes = b""


#: Callback with (number, value) for each part of a function that yields its return in parts.
OnPart = Callable[[int, Any], None]


def execute(
    context: CallContext,
    load: JobLoad,
    *,
    on_part: OnPart | None = None,
    take_digests: Callable[[], bytes] = bytes,
) -> ReturnLoad:
    """Run a job in `context` and return its return, without `cmd` and `id`.

    `take_digests` returns the digests of the last state run. A JobEnded propagates with the partial
    return.
    """
    fun, arg = load["fun"], load["arg"]
    if not isinstance(fun, (list, tuple)):
        try:
            outcome = _run(context, str(fun), _list(arg), load, on_part=on_part)
            return _whole(outcome._replace(digests=take_digests()), load)
        except JobEnded as exc:
            exc.ret = _whole(exc.outcome, load)
            raise
    parts: list[Outcome] = []
    try:
        for place, name in enumerate(fun):
            outcome = _run(context, str(name), _nth(arg, place), load)
            parts.append(outcome._replace(digests=take_digests()))
    except JobEnded as exc:
        exc.ret = _joined(context, [*parts, exc.outcome], load)
        raise
    return _joined(context, parts, load)


def _whole(outcome: Outcome, load: JobLoad) -> ReturnLoad:
    """Return the return of a job with one function."""
    result: ReturnLoad = {"return": outcome.value, "retcode": outcome.retcode, "success": outcome.success}
    if outcome.out:
        result["out"] = outcome.out
    if outcome.places:
        result["places"] = list(outcome.places)
    if outcome.plan is not None:
        result["plan"] = _packed_plan(outcome.plan)
    if outcome.digests:
        result["low_digests"] = outcome.digests
    return {**result, **heading(load)}


def _packed_plan(document: PlanDocument) -> dict[str, str]:
    """Return a plan as {id, document}; the text is signed as a whole, and the master only displays it."""
    import json

    return {"id": document["plan"], "document": json.dumps(document)}


def _joined(context: CallContext, parts: Sequence[Outcome], load: JobLoad) -> ReturnLoad:
    """Return the return of a job with several functions, of which `parts` are the outcomes so far."""
    named = list(zip(map(str, load["fun"]), parts, strict=False))
    is_ordered = context.opts.get("multifunc_ordered")
    result = _ordered(parts) if is_ordered else _by_name(named)
    if any(part.digests for part in parts):
        # If a function occurs twice, the return has its last outcome at the position of the first.
        result["low_digests"] = _joined_digests(named if is_ordered else list(dict(named).items()))
    return {**result, **heading(load)}


def _joined_digests(named: Sequence[tuple[str, Outcome]]) -> bytes:
    """Return the joined digests of all state runs, one for each state in their returns."""
    from salt_g.report.state_changes import SIZE, is_state_run, run_length  # Imported lazily: rare.

    joined = b""
    for name, part in named:
        if is_state_run(name):
            size = run_length(part.value) * SIZE
            joined += part.digests[:size].ljust(size, b"\0")
    return joined[:MAX_DIGESTS]


def heading(load: JobLoad) -> ReturnLoad:
    """Return the fields that a return copies from its job."""
    fields: ReturnLoad = {"jid": load["jid"], "fun": load["fun"], "fun_args": load["arg"]}
    if "user" in load:
        fields["user"] = load["user"]
    if "master_id" in load:
        fields["master_id"] = load["master_id"]
    if isinstance(load.get("metadata"), dict):
        fields["metadata"] = load["metadata"]
    return fields


def failure(load: JobLoad, text: str, *, retcode: int = FAILED) -> ReturnLoad:
    """Return the return of a job whose function could not be run, or could not be completed."""
    return {"return": text, "retcode": retcode, "success": False, "out": "nested", **heading(load)}


def interruption(job: Mapping[str, Any]) -> ReturnLoad:
    """Return the return of a job that was running when its minion was killed."""
    load: ReturnLoad = {
        "jid": str(job["jid"]),
        "fun": job["fun"],
        "fun_args": hide(list(job.get("arg") or ())),
        "return": INTERRUPTED,
        "retcode": ENDED + signal.SIGKILL,
        "success": False,
        "out": "nested",
    }
    return {**load, "user": str(job["user"])} if job.get("user") else load


def with_ended(ret: ReturnLoad, ended: Mapping[int, str]) -> ReturnLoad:
    """Return an ended job's return with the list of the processes that were ended with the job."""
    if not ended:
        return ret
    from salt_g.process.process_tree import described as line_of  # Imported lazily: few jobs are ended.

    value = ret.get("return")
    if isinstance(value, str):
        value = f"{value}; ended with it: {line_of(ended)}"
    programs = [{"pid": pid, "command": command} for pid, command in sorted(ended.items())]
    return {**ret, "return": value, "ended": programs[:MAX_ENDED]}


def described(exc: CommandExecutionError) -> str:
    """Return the message of an error, followed by the error's data."""
    message = str(exc)
    if not exc.info:
        return message
    from salt_g.output.nested import output  # Imported lazily: errors with data are rare.

    stop = "" if message.endswith((".", "?", "!")) else "."
    return f"{message}{stop} Additional info follows:\n\n{output(exc.info, {})}"


def _run(
    context: CallContext,
    name: str,
    arg: Sequence[Any],
    load: JobLoad,
    *,
    on_part: OnPart | None = None,
) -> Outcome:
    """Run one function with its own `__context__` layer, so that retcodes of functions do not mix."""
    own = context.replace(scratch=_own_scratch(context.scratch))
    with api.use(own):
        try:
            return _call(own, name, arg, load, on_part)
        except JobEnded as exc:
            exc.outcome = _cut(own, exc.number)
            raise
        except NotOffered as exc:
            return _failed(str(exc))
        except NoSuchFunction as exc:
            return _unavailable(own, name) if exc.name == name else _crashed(name)
        except CommandNotFound as exc:
            log.debug("%s raised", name, exc_info=True)
            return _failed(f"Command required for '{name}' not found: {exc}")
        except CommandExecutionError as exc:
            log.error("a command in %r had a problem: %s", name, exc, exc_info=_at_debug())
            return _failed(f"ERROR: {described(exc)}")
        except (UntrustedPath, FileServerError) as exc:
            log.error("%r: %s", name, exc, exc_info=_at_debug())
            return _failed(f"ERROR: {exc}")
        except UnknownKeywords as exc:
            log.error("problem executing %r: %s", name, exc)
            return _failed("; ".join(filter(None, (f"ERROR executing '{name}': {exc}", exc.advice))))
        except InvocationError as exc:
            log.error("problem executing %r: %s", name, exc, exc_info=_at_debug())
            return _failed(f"ERROR executing '{name}': {exc}")
        except TypeError as exc:
            log.debug("%s raised", name, exc_info=True)
            return _failed(f"Passed invalid arguments to {name}: {exc}\n{_doc(own, name)}")
        # A plugin may raise anything, including SystemExit, which must not end this process; the caller
        # receives the traceback.
        except (Exception, SystemExit):
            return _crashed(name)


def _cut(context: CallContext, number: int) -> Outcome:
    """Return the outcome of a function ended by a signal; for a state run, the results so far."""
    text = ended_text(number)
    so_far = {tag: ret for run in context.scratch.get(UNFINISHED, ()) for tag, ret in run(text).items()}
    return Outcome(so_far or text, ENDED + number, False, "highstate" if so_far else "nested")


def _own_scratch(scratch: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return a new `__context__` layer for one function, above existing layers such as a resource type's."""
    own = {"retcode": 0}
    return scratch.new_child(own) if isinstance(scratch, ChainMap) else own


def _call(
    context: CallContext, name: str, arg: Sequence[Any], load: JobLoad, on_part: OnPart | None
) -> Outcome:
    _check_blackout(context, name)
    executors = executors_of(context.opts, load, name)
    function = _function(context, name, executors)
    args, kwargs = arguments_for(function, arg, load)
    value = run_through(executors, context, {**load, "fun": name}, function, args, kwargs)
    if inspect.isgenerator(value):
        value = _gathered(value, on_part)
    value = plain_return(function, value)
    retcode = context.scratch.get("retcode", 0) or _retcode_of(value)
    out = getattr(function, "__outputter__", None) or ""
    scratch = context.scratch
    return Outcome(value, retcode, retcode == 0, out, scratch.get("places", ()), scratch.get("plan"))


def _function(context: CallContext, name: str, executors: Sequence[str]) -> Callable[..., Any]:
    """Return the function; if an executor runs it elsewhere, a missing function gets a stand-in."""
    table = context.offered()
    try:
        return table[name]
    except NoSuchFunction:
        known = context.table("executors")
        for executor in executors:
            allows = known.get(f"{executor}.allow_missing_func")
            if allows is not None and allows(name):
                return _missing(name)
        raise


def _missing(name: str) -> Callable[..., Any]:
    """Return a stand-in for a missing function; its name shows an executor what to call elsewhere."""

    def elsewhere(*args: Any, **kwargs: Any) -> Any:
        raise NoSuchFunction(name)

    elsewhere.__name__ = name
    return elsewhere


def _gathered(parts: Any, on_part: OnPart | None) -> Any:
    """Return the parts of a return, combined into one value; report each part to `on_part`."""
    whole: Any = {}
    for number, part in enumerate(parts):
        if not isinstance(part, dict) and isinstance(whole, dict):
            whole = []
        if isinstance(whole, dict):
            whole.update(part)
        else:
            whole.append(part)
        if on_part is not None:
            on_part(number, part)
    return whole


def _retcode_of(value: Any) -> int:
    """Return 1 if the value itself reports a failure, else 0."""
    if not isinstance(value, Mapping):
        return 0
    return 0 if all(value.get(name, True) for name in ("result", "success")) else FAILED


def _check_blackout(context: CallContext, name: str) -> None:
    """Raise InvocationError if pillar or grains set a blackout that does not permit the function."""
    for source, key in ((context.pillar, "minion_blackout"), (context.grains, "minion_blackout")):
        if source.get(key):
            allowed = source.get("minion_blackout_whitelist") or ()
            if name != ALLOWED_IN_BLACKOUT and name not in allowed:
                raise InvocationError(BLACKOUT)


def _unavailable(context: CallContext, name: str) -> Outcome:
    """Return the error for a missing function, with docs of `<name>*` or the reason why it is missing."""
    missing = f"'{name}' is not available."
    docs: dict[str, Any] = {}
    if context.table("modules").get("sys.doc") is not None:
        docs = dict(api.call("sys.doc", f"{name}*"))
    if docs:
        return _failed({**docs, name: missing})
    reason = getattr(context.table("modules"), "why_missing", lambda name: "")(name)
    return _failed(f"{missing} Possible reasons: '{reason}'" if reason else missing)


def _doc(context: CallContext, name: str) -> str:
    return context.table("modules")[name].__doc__ or ""


def _failed(value: Any) -> Outcome:
    return Outcome(value, FAILED, False, "nested")


def _crashed(name: str) -> Outcome:
    log.warning("the minion function %s caused an exception", name, exc_info=True)
    return _failed(f"The minion function caused an exception: {traceback.format_exc()}")


def _at_debug() -> bool:
    return log.isEnabledFor(logging.DEBUG)


def _ordered(parts: Sequence[Outcome]) -> ReturnLoad:
    return {
        "return": [part.value for part in parts],
        "retcode": [part.retcode for part in parts],
        "success": [part.success for part in parts],
    }


def _by_name(named: Sequence[tuple[str, Outcome]]) -> ReturnLoad:
    return {
        "return": {name: part.value for name, part in named},
        "retcode": {name: part.retcode for name, part in named},
        "success": {name: part.success for name, part in named},
    }


def _nth(arg: Any, place: int) -> list[Any]:
    return _list(arg[place]) if isinstance(arg, (list, tuple)) and place < len(arg) else []


def _list(arg: Any) -> list[Any]:
    return list(arg) if isinstance(arg, (list, tuple)) else [arg]


def arguments_for(function: Callable[..., Any], arg: Sequence[Any], load: JobLoad) -> CallArguments:
    """Return the arguments for a call of `function`; raise UnknownKeywords if it does not accept them."""
    args, given = split_arguments(arg)
    # The `__pub_` values (such as the user of the job) come from the publication only, never from an
    # argument.
    kwargs = {name: value for name, value in given.items() if not name.startswith(_PUBLISHED)}
    published = {name: value for name, value in load.items() if name not in NOT_PUBLISHED}
    return fit(function, args, kwargs, published=published)
