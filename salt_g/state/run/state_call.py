"""Call of one chunk's state function, with checks before and after.

Exceptions and returns of plugin code become a state return here; only unknown arguments end the run, as in
stock.

Shapes: `StateCaller.call` takes a low chunk and returns a CalledState, whose `ret` is the state return {name,
result, changes, comment}.
"""

from __future__ import annotations

import contextlib
import logging
import os
import traceback
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import NoSuchFunction, NotOffered
from salt_g.safe_files.links import UntrustedPath
from salt_g.services.plugins import Services
from salt_g.shapes import Arguments, LowChunk, RunAs, Running, StateReturn
from salt_g.state.compile.argument_hints import ArgumentHints
from salt_g.state.compile.source_locations import SourceLocations
from salt_g.state.run.conditions import CONDITIONS, Conditions
from salt_g.state.run.slots import fill_slots
from salt_g.state.run.state_arguments import (
    arguments_for,
    log_missing_arguments,
    missing_parameters,
    signature_of,
)
from salt_g.state.run.state_returns import malformed
from salt_g.telemetry import log as logs

if TYPE_CHECKING:
    from salt_g.state.undo.journal import Journal

log = logging.getLogger(__name__)

#: Comment of a state that is not run because of `state_strict_arguments`.
_REFUSED = "State was not run because of unknown arguments"
#: Keys required in every state return.
_REQUIRED = ("name", "result", "changes", "comment")


class CalledState(NamedTuple):
    """Result of one call of a state function.

    A malformed return is replaced by a placeholder, which gets none of the engine's keys; it uses up a run
    number only where stock's does (`is_counted`).
    """

    ret: StateReturn
    is_malformed: bool = False
    is_counted: bool = True


class StateCaller:
    """Caller of state functions in the context of one run; with `is_mocked` it calls none."""

    def __init__(
        self, context: CallContext, *, is_mocked: bool = False, places: SourceLocations | None = None
    ) -> None:
        self.context = context
        #: Record of changes for `state.undo`, if enabled.
        self.journal: Journal | None = None
        self._advice = ArgumentHints(context, places)
        self._is_mocked = is_mocked
        self._substituted: dict[tuple[tuple[str, str], ...], Services] = {}

    def has(self, function: str) -> bool:
        """Return whether a state function of this name exists."""
        return function in self.context.table("states")

    def problems_of(self, low: LowChunk) -> list[str]:
        """Return the errors that prevent a chunk's call, in stock's words."""
        problems = _form_problems(low)
        if problems:
            return problems
        name = f"{low['state']}.{low['fun']}"
        try:
            function = self.context.table("states")[name]
        except KeyError as exc:
            if isinstance(exc, NoSuchFunction) and exc.nearest:
                self._advice.on_missing(name, exc.nearest, low)
            return _missing_function(name, low, exc)
        missing = missing_parameters(function, low)
        if missing:
            log_missing_arguments(missing, function, low)
        return [f"Missing parameter {parameter} for state {name}" for parameter in missing]

    def initialise(self, low: LowChunk, *, running: Running) -> bool:
        """Call the `mod_init` of a chunk's module; return whether it is done with initialisation."""
        name = f"{low['state']}.mod_init"
        if not self.has(name):
            return True
        with api.use(self._context_of(low, {}, running, False)):
            return bool(self.context.table("states")[name](low))

    def call(self, low: LowChunk, *, running: Running, is_preview: bool = False) -> CalledState:
        """Call the chunk's function and return its result; a preview is called in test mode.

        Raise InvocationError when the chunk has unknown arguments.
        """
        function = self.context.table("states")[f"{low['state']}.{low['fun']}"]
        arguments = arguments_for(function, low)
        context = self._context_of(low, arguments, running, is_preview)
        context = context.replace(run_as=_run_as(low, context.run_as))
        with api.use(context), _log_suppressed(low):
            warnings = self._advice.on_keywords(function, arguments, low)
            if warnings and context.opts.get("state_strict_arguments"):
                return _with_warnings(CalledState(_plain(low, False, _REFUSED)), warnings)
            if self.journal is None or is_preview:
                called = self._call_caught(function, arguments, low, context)
            else:
                called = self._call_recorded(self.journal, function, arguments, low, context)
            self._advice.on_failure(low, called.ret["result"])
            return _with_warnings(self._with_evidence(called, low), warnings)

    def with_planned(self, called: CalledState, low: LowChunk, *, running: Running) -> CalledState:
        """Add the changes that a module plans (`mod_plan`) to a test-mode result without changes."""
        name = f"{low['state']}.mod_plan"
        ret = called.ret
        if ret["result"] is not None or ret["changes"] or low["fun"] == "mod_watch" or not self.has(name):
            return called
        function = self.context.table("states")[name]
        try:
            arguments = {**arguments_for(function, low), "fun": low["fun"]}
            with api.use(self._context_of(low, arguments, running, True)), _log_suppressed(low):
                changes = function(**arguments)
        except Exception as exc:  # a plugin
            log.debug("%s: %s", name, exc)
            return called
        return called._replace(ret={**ret, "changes": dict(changes)}) if changes else called

    def _call_recorded(
        self, journal: Journal, function: Any, arguments: Arguments, low: LowChunk, context: CallContext
    ) -> CalledState:
        """Return the result of the function; record what it changes, before and after each change."""
        record = journal.chunk(low)
        ret: StateReturn | None = None
        try:
            with record.recording:
                called = self._call_caught(function, arguments, low, context)
            ret = called.ret
            return called
        finally:
            # Record the end even when the job is killed here.
            record.end(ret)

    def _call_caught(
        self, function: Any, arguments: Arguments, low: LowChunk, context: CallContext
    ) -> CalledState:
        """Return the result of the function; any exception that it raises fails only this state."""
        try:
            return _checked(self._call_guarded(function, arguments, low, context))
        except (NotOffered, UntrustedPath) as exc:
            # Either the managed resource does not support this, or root must not follow a user's link. The
            # message suffices without a traceback.
            return CalledState(_plain(low, False, str(exc)))
        except (Exception, SystemExit) as exc:
            if _is_about_path(exc):
                return CalledState(_plain(low, False, str(exc)))
            # Plugin code may raise any exception and may exit; only this state fails.
            log.debug("state %r raised an exception", low["__id__"], exc_info=True)
            trace = traceback.format_exc()
            self._advice.on_error(function, arguments, low, exc)
            return CalledState(_failed(low, trace))

    def _with_evidence(self, called: CalledState, low: LowChunk) -> CalledState:
        """Add the evidence that the module finds (`mod_evidence`) to a failure, if there is any."""
        name = f"{low['state']}.mod_evidence"
        is_failure = called.ret["result"] is False and not called.is_malformed
        # For a resource, the module would look at the minion instead; for a state with `no_log`, the evidence
        # must stay hidden.
        if not is_failure or self.context.resource or low.get("no_log") or not self.has(name):
            return called
        try:
            found = self.context.table("states")[name](low["name"])
        except Exception as exc:  # a plugin
            log.debug("%s: %s", name, exc)
            return called
        shown = _without_passwords(str(found)) if found else ""
        return called._replace(ret={**called.ret, "evidence": shown}) if shown else called

    def _call_guarded(self, function: Any, arguments: Arguments, low: LowChunk, context: CallContext) -> Any:
        conditions = Conditions(  # noqa: S604 - the user's choice of a shell
            context.table("modules"),
            shell=lambda: low.get("shell") or context.grains.get("shell"),
            scratch=context.scratch,
            exists=_exists_on_resource if context.resource else os.path.exists,
        )
        reason = self._reason_to_skip(conditions, low)
        if reason is not None:
            ret = _skipped(low, reason)
        elif self._is_mocked:
            ret = _plain(low, True, "Not called, mocked")
        elif not conditions.meets_global(context.opts.get("global_state_conditions"), low):
            ret = _plain(low, None, "Failed to meet global state conditions. State not called.")
        else:
            with _umask(low):
                ret = function(**fill_slots(arguments, context.table("modules")))
        if "check_cmd" in low and not self._checks_itself(function, low):
            ret.update(conditions.check_commands(low))
        return ret

    def _reason_to_skip(self, conditions: Conditions, low: LowChunk) -> str | None:
        if not any(word in low for word in CONDITIONS) or self.has(f"{low['state']}.mod_run_check"):
            return None
        return conditions.reason_to_skip(low)

    def _checks_itself(self, function: Any, low: LowChunk) -> bool:
        """Return whether the function accepts `check_cmd` and its module declares that it handles it."""
        return self.has(f"{low['state']}.mod_run_check_cmd") and "check_cmd" in signature_of(function).names

    def _context_of(
        self, low: LowChunk, arguments: Mapping[str, Any], running: Running, is_preview: bool
    ) -> CallContext:
        context = self.context.replace(
            low=low,
            running=running,
            saltenv=self._saltenv_of(low, arguments),
        )
        if "provider" in low:
            context = context.replace(services=self._services_with(_providers(low)))
        return context.with_opts(test=True) if is_preview else context

    def _services_with(self, providers: Mapping[str, str]) -> Services:
        """Return the run's services with execution modules replaced, cached for each combination."""
        key = tuple(sorted(providers.items()))
        if key not in self._substituted:
            plugins = self.context.services.plugins.with_providers(providers)
            self._substituted[key] = self.context.services.replace(plugins=lambda: plugins)
        return self._substituted[key]

    def _saltenv_of(self, low: LowChunk, arguments: Mapping[str, Any]) -> str:
        if not self.context.opts.get("lock_saltenv"):
            if "saltenv" in low:
                return str(low["saltenv"])
            if isinstance(arguments.get("env"), str):
                return str(arguments["env"])
        return str(low.get("__env__") or "base")


def _exists_on_resource(path: str) -> bool:
    """Return whether a path exists on the run's resource; raise NotOffered if its type cannot check files."""
    functions = api.functions
    return bool(functions["file.file_exists"](path) or functions["file.directory_exists"](path))


def _providers(low: LowChunk) -> dict[str, str]:
    """Return {module: plugin} of a chunk's `provider`: a plugin for its own module, a mapping, or several."""
    if isinstance(low["provider"], str):
        return {low["state"]: low["provider"]}
    items = low["provider"] if isinstance(low["provider"], list) else [low["provider"]]
    return {key: value for item in items if isinstance(item, dict) for key, value in item.items()}


def _without_passwords(evidence: str) -> str:
    """Return evidence with passwords redacted, because logs and command lines can contain some."""
    from salt_g.process.redaction import redacted_output  # Imported lazily: only needed after a failure.

    return redacted_output("\n".join(evidence.splitlines()))


def _form_problems(low: LowChunk) -> list[str]:
    problems = [f'Missing "{key}" data' for key in ("state", "fun", "name") if key not in low]
    name = low.get("name")
    if name and not isinstance(name, str):
        where = f"in SLS '{low['__sls__']}' " if "__sls__" in low else ""
        problems.append(f"ID '{name}' {where}is not formed as a string, but is a {type(name).__name__}")
    if "umask" in low:
        try:
            _umask_of(low)
        except ValueError:
            problems.append(f"Invalid umask: {low['umask']}")
    return problems


def _missing_function(name: str, low: LowChunk, exc: KeyError) -> list[str]:
    if "__sls__" not in low:
        return [f"Specified state '{name}' was not found"]
    reason = exc if isinstance(exc, NoSuchFunction) else NoSuchFunction(name)
    problems = [f"State '{name}' was not found in SLS '{low['__sls__']}'", f"Reason: {reason}"]
    if reason.reason:
        below = dict.fromkeys(_reason_of_module(name) for name in (low["state"], low["state"].split("_")[0]))
        problems += [f"Reason: {why}" for why in below if why not in ("", reason.reason)]
    return problems


def _reason_of_module(name: str) -> str:
    """Return why the execution module of this name is unavailable, or ''.

    A state module usually needs the execution module of the same name; `apache_site` needs the module
    `apache`.
    """
    try:
        # No plugin has a function of this name, so the look-up only shows why the plugin is missing.
        api.functions[f"{name}.__virtual__"]
    except NoSuchFunction as exc:
        return exc.reason
    except KeyError:
        pass
    return ""


def _plain(low: LowChunk, result: bool | None, comment: str) -> StateReturn:
    return {"name": low["name"], "comment": comment, "changes": {}, "result": result}


def _with_warnings(called: CalledState, warnings: list[str]) -> CalledState:
    """Return the result with our warnings before those of the function; stock shows all below the comment."""
    if not warnings:
        return called
    ret: StateReturn = {**called.ret, "warnings": [*warnings, *called.ret.get("warnings", ())]}
    return called._replace(ret=ret)


def _skipped(low: LowChunk, reason: str) -> StateReturn:
    return {
        "result": True,
        "name": low["name"],
        "changes": {},
        "comment": reason,
        "__sls__": low.get("__sls__"),
        "__id__": low.get("__id__"),
        "skip_watch": True,
    }


def _is_about_path(exc: BaseException) -> bool:
    """Return whether an error was raised because root must not follow a user's link."""
    cause: BaseException | None = exc
    while cause is not None and not isinstance(cause, UntrustedPath):
        cause = cause.__cause__
    return cause is not None


def _failed(low: LowChunk, text: str) -> StateReturn:
    return {
        "result": False,
        "name": low["name"],
        "changes": {},
        "comment": f"An exception occurred in this state: {text}",
    }


def _checked(ret: Any) -> CalledState:
    """Normalize a return (text in `comment`; True, False or None in `result`), or replace a malformed one."""
    problem = _malformed(ret)
    if problem:
        return CalledState(malformed(problem), is_malformed=True, is_counted=isinstance(ret, dict))
    if isinstance(ret["comment"], (list, tuple)):
        ret["comment"] = "\n".join(ret["comment"])
    if ret["result"] is not None:
        ret["result"] = bool(ret["result"])
    return CalledState(ret)


def _malformed(ret: Any) -> str:
    """Return the error in a state return, or '' if it is well-formed."""
    if not isinstance(ret, dict):
        return "Malformed state return. Data must be a dictionary type."
    if not isinstance(ret.get("changes"), dict):
        return "'Changes' should be a dictionary."
    missing = [key for key in _REQUIRED if key not in ret]
    if missing:
        return f"The following keys were not present in the state return: {', '.join(missing)}."
    if isinstance(ret["comment"], (list, tuple)):
        for line in ret["comment"]:
            if not isinstance(line, str):
                return f"expected str, bytes, or bytearray not {type(line)}"
    return ""


def _run_as(low: LowChunk, outer: RunAs) -> RunAs:
    """Return the user of a chunk's commands; a run started by a state inherits the user of that state."""
    password = low.get("password") if low["state"] == "cmd" else low.get("runas_password")
    return RunAs(low.get("runas") or outer.user, password or outer.password)


@contextlib.contextmanager
def _log_suppressed(low: LowChunk) -> Iterator[None]:
    """Keep the log messages of a chunk with `no_log`, from any plugin, out of the log."""
    token = logs.is_hidden.set(True) if low.get("no_log") else None
    try:
        yield
    finally:
        if token is not None:
            logs.is_hidden.reset(token)


def _umask_of(low: LowChunk) -> int:
    return int(str(low["umask"]), 8)


@contextlib.contextmanager
def _umask(low: LowChunk) -> Iterator[None]:
    """Set the process's umask to that of a chunk for the body of a `with` block."""
    if "umask" not in low:
        yield
        return
    before = os.umask(_umask_of(low))
    try:
        yield
    finally:
        os.umask(before)
