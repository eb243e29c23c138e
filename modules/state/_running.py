"""Context of a state run: its options, lock and exit code, common to all entry points.

Errors: InvocationError for pillar that is not a mapping, UnknownKeywords for keywords that no run accepts.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.data import jid
from salt_g.data.pillar_errors import ADVICE, errors_of
from salt_g.errors import CommandExecutionError, CompileError, InvocationError, PillarError, PlanRefused
from salt_g.modules.state._options import default_test, ordered_test, refuse_unknown
from salt_g.modules.state._switches import GRAIN, switched_off

if TYPE_CHECKING:
    from salt_g.services.protocols import StateEngine

#: Values of `scratch["retcode"]`: compile errors and locks, failed states, plans not applied, pillar errors.
COMPILE_ERROR = 1
FAILED = 2
PLAN_REFUSED = 3
PILLAR_ERROR = 5
#: Keyword of a run that makes a plan (value: its id) or applies one; only daemons and `--save` add it.
PLAN = "__plan"
#: Environment of SLS named in a call; the top file assigns others by environment.
SLS_ENV = "base"

Options = Mapping[str, Any]


def run_states(
    work: Callable[[StateEngine], Any],
    options: Options,
    *,
    test: bool | None = None,
    queue: bool | int | None = None,
    state_events: bool | None = None,
    default_env: str | None = None,
) -> Any:
    """Run states under the lock; return the result of `work`, or the messages that stopped it.

    `default_env` is the `saltenv` of the run when neither the options nor the settings name one.
    Sets `retcode` in the call's scratch, from which the command line derives its exit code.
    """
    refuse_unknown(options)
    try:
        with (
            _run_context(options, state_events=state_events, default_env=default_env) as context,
            _locked(context, options, queue),
        ):
            check_pillar(context, options)
            with _test_mode(ordered_test(test, options)):
                engine = context.services.states
                ret = work(engine) if PLAN not in options else engine.planned(options[PLAN], work)
    except CompileError as exc:
        return _not_compiled(exc)
    except PlanRefused as exc:
        set_retcode(PLAN_REFUSED)
        return str(exc)
    except PillarError as exc:
        set_retcode(PILLAR_ERROR)
        _advise_about_pillar()
        return ["Pillar failed to render with the following messages:", *exc.messages]
    set_retcode(0 if succeeded(ret) else FAILED)
    if ret == {} and not api.current().scratch.get("places"):
        api.advise("no states: the SLS of this run declare none; state.show_sls shows what they render to")
    return only_changed(ret) if options.get("terse") or api.opts.get("state_data") == "terse" else ret


def compile_states(
    work: Callable[[StateEngine], Any],
    options: Options,
    *,
    test: bool | None = None,
    queue: bool | int | None = None,
    default_env: str | None = None,
    reads_default_test: bool = True,
) -> Any:
    """Compile without running; return compile errors, raise pillar errors.

    Without `reads_default_test`, only the caller and the settings decide the test mode that templates see.
    """
    refuse_unknown(options)
    try:
        with _run_context(options, default_env=default_env) as context, _locked(context, options, queue):
            check_pillar(context, options)
            ordered = ordered_test(test, options)
            if ordered is None and not reads_default_test:
                ordered = bool(context.opts.get("test"))
            with _test_mode(ordered):
                return work(context.services.states)
    except CompileError as exc:
        return _not_compiled(exc)
    except PillarError as exc:
        set_retcode(PILLAR_ERROR)
        listed = "\n".join("- " + message.replace("\n", "\n  ") for message in exc.messages)
        raise CommandExecutionError(f"Pillar failed to render. Additional info follows:\n\n{listed}") from exc


def _advise_about_pillar() -> None:
    """Advise where to look for the cause if the master compiled the pillar."""
    if api.opts.get("file_client") != "local":
        api.advise(ADVICE)


def _not_compiled(exc: CompileError) -> list[str]:
    """Return the messages; the locations of the problems are stored outside of the return."""
    set_retcode(COMPILE_ERROR)
    if exc.places:
        api.current().scratch["places"] = exc.places
    return exc.messages


def set_retcode(retcode: int) -> None:
    """Set the exit code of this call."""
    api.current().scratch["retcode"] = retcode


def succeeded(ret: Any) -> bool:
    """Return whether a running dict is not empty and has no failure."""
    if not isinstance(ret, dict) or not ret:
        return False
    return all(isinstance(entry, dict) and entry.get("result") is not False for entry in ret.values())


def only_changed(ret: Any) -> Any:
    """Return a running dict without unchanged successful states."""
    if not isinstance(ret, dict):
        return ret
    return {tag: entry for tag, entry in ret.items() if not entry["result"] or entry["changes"]}


def split(value: Any) -> list[Any]:
    """Return a list for a list or a comma-separated text."""
    return list(value) if isinstance(value, list) else [part.strip() for part in str(value).split(",")]


def engine_options(options: Options) -> dict[str, Any]:
    """Return the options of the engine itself."""
    found: dict[str, Any] = {"mock": bool(options.get("mock", False))}
    if options.get("orchestration_jid") is not None:
        found["orchestration_jid"] = options["orchestration_jid"]
    return found


def check_pillar(context: CallContext, options: Options) -> None:
    """Raise PillarError for pillar with compile errors, unless `force` is set."""
    if context.reads is not None:
        held = context.unread("grains"), context.unread("pillar")
        context.reads.begin({"grains": context.grains, "pillar": context.pillar}, held)
    errors = errors_of(context.pillar)
    if errors and not options.get("force"):
        raise PillarError(errors)


@contextlib.contextmanager
def _run_context(
    options: Options, *, state_events: bool | None = None, default_env: str | None = None
) -> Iterator[CallContext]:
    """Run a block in the context of a run: its environment, pillar and job."""
    settings = {
        "state_events": state_events,
        "saltenv": _saltenv(options.get("saltenv")) or api.opts.get("saltenv") or default_env,
        "pillarenv": _pillarenv(options),
        "pillar_override": _pillar_override(options),
        "state_explain": True if options.get("explain") else None,
        GRAIN: switched_off(),
    }
    changes = {key: value for key, value in settings.items() if value is not None}
    context = api.current().with_opts(**changes)
    context = context.replace(job=_job(context))
    if changes.keys() & {"pillarenv", "pillar_override"} or _is_kept(context):
        kept = context
        context = context.replace(pillar=api.Deferred(lambda: _fresh_pillar(kept)))
    with api.use(context):
        yield context


@contextlib.contextmanager
def _test_mode(ordered: bool | None) -> Iterator[None]:
    """Run a block in the requested test mode, or in the default one, which the run's pillar may set."""
    is_test = default_test() if ordered is None else ordered
    with api.use(api.current().with_opts(test=is_test)):
        yield


@contextlib.contextmanager
def _locked(context: CallContext, options: Options, queue: bool | int | None) -> Iterator[None]:
    if queue is None:
        queue = context.opts.get("state_queue", False)
    lock = context.services.states.lock
    with lock.held(context.job, queue=queue or False, concurrent=bool(options.get("concurrent"))):
        yield


def _job(context: CallContext) -> dict[str, Any]:
    """Return the job of a run; a run inside another (`module.run: state.sls`) shares its jid."""
    job = {"fun": "state.apply", "arg": [], "tgt": "salt-call", "tgt_type": "glob", "ret": "", **context.job}
    job.setdefault("jid", jid.make())
    return {**job, "jid": str(job["jid"]), "pid": os.getpid()}


def _saltenv(wanted: Any) -> str | None:
    if wanted is None:
        return None
    saltenv = str(wanted)
    if api.opts.get("lock_saltenv") and saltenv != api.opts.get("saltenv"):
        raise CommandExecutionError("lock_saltenv is enabled, saltenv cannot be changed")
    return saltenv


def _pillarenv(options: Options) -> str | None:
    wanted = options.get("pillarenv")
    if wanted is None and api.opts.get("pillarenv_from_saltenv"):
        wanted = options.get("saltenv")
    return None if wanted is None else str(wanted)


def _pillar_override(options: Options) -> dict[str, Any] | None:
    override, renderer = options.get("pillar"), options.get("pillar_enc")
    if renderer is not None and override is not None:
        override = _decrypted(override, str(renderer))
    if override is not None and not isinstance(override, dict):
        raise InvocationError(
            "Pillar data must be formatted as a dictionary, unless pillar_enc is specified."
        )
    return override


def _decrypted(override: Any, renderer: str) -> Any:
    """Return pillar (data, or text in YAML) with its secrets decrypted by a renderer (`gpg`)."""
    render = api.services().render
    if isinstance(override, str):
        return render.render_text(override, pipe=f"{renderer}|yaml")
    return render.render_text(json.dumps(override), pipe=f"yaml|{renderer}")


def _is_kept(context: CallContext) -> bool:
    """Return whether pillar was compiled before this call, as a running minion keeps it between jobs.

    A run needs the current pillar; a deferred pillar was or will be compiled for this call.
    """
    return not isinstance(context.unread("pillar"), api.Deferred)


def _fresh_pillar(context: CallContext) -> Mapping[str, Any]:
    saltenv, pillarenv = context.opts.get("saltenv"), context.opts.get("pillarenv")
    override = context.opts.get("pillar_override")
    with api.use(context):
        return context.services.pillars.compile(saltenv=saltenv, pillarenv=pillarenv, override=override)
