"""Concurrent calls of functions and shell commands on hosts without a minion.

Shapes: a HostReturn has stock's forms: the value of a function; for a failed call and for `--raw` a dict with
`stdout`, `stderr`, `retcode`; for an unreachable host the reason, as text.
Bounds: calls run on at most `limit` hosts at once.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.cli import exit_codes
from salt_g.cli.call.invocation import failure_text, retcode_of
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.cli.ssh.host_errors import HostFunctionFailed, wrapper_error
from salt_g.cli.ssh.host_files import FilesOfHost
from salt_g.cli.ssh.host_log import lines_of
from salt_g.cli.ssh.pre_flight import PreFlight
from salt_g.cli.ssh.roster_hosts import RosterHosts
from salt_g.data.nested import DELIMITER
from salt_g.errors import CommandExecutionError, NoSuchFunction, SaltGError, UnknownKeywords
from salt_g.loader.arguments import fit
from salt_g.loader.current_values import plain_return
from salt_g.process.supervisor import Supervisor
from salt_g.resources.ssh._connection import HostKeyUnknown, Unreachable
from salt_g.shapes import Opts
from salt_g.x509 import key_files

log = logging.getLogger(__name__)

#: Text that stock's salt-ssh adds to a result with a nonzero exit code.
_NONZERO = "The command resulted in a non-zero exit code"
#: Retcode for an unreachable host; `ssh` itself exits with the same code.
_UNREACHABLE = 255
#: Default of `ssh_max_procs`: maximum number of hosts worked on concurrently.
_AT_ONCE = 25
#: Stock's retcode and text for a host whose key is unknown.
_UNKNOWN = 254
_KEY_UNKNOWN = "The host key needs to be accepted, to auto accept run salt-ssh with the -i flag:\n\n{}"


class HostReturn(NamedTuple):
    """Result of one host; `outputter` is the function's default, `is_error` is set if `value` is an error."""

    id: str
    value: Any
    retcode: int
    outputter: str | None = None
    is_error: bool = False


class HostCall(NamedTuple):
    """Function to call, with its arguments and the job id."""

    fun: str
    args: list[Any]
    kwargs: Mapping[str, Any]
    jid: str


#: Function that does the work for one host, given by id.
Work = Callable[[str], HostReturn]


def each(ids: Iterable[str], work: Work, *, limit: int) -> Iterator[HostReturn]:
    """Run `work` on the hosts, at most `limit` at once; yield the results as they arrive."""
    import gevent.queue

    results: Any = gevent.queue.Queue()
    family = Supervisor("hosts", limit=max(1, limit))
    starter = Supervisor("start of hosts")
    named = list(ids)

    def start() -> None:
        for id in named:
            # Linked, so that a bug in `work` reaches the reader of the results instead of letting it wait
            # forever.
            family.spawn(work, id, name=id).link(results.put)

    starter.spawn(start, name="start")
    try:
        for _ in named:
            yield results.get().get()
    finally:
        starter.stop()
        family.stop()


def function_on(
    contexts: HostContexts, id: str, call: HostCall, *, first: PreFlight | None = None
) -> HostReturn:
    """Call a function on a host after the script `first`; if the script fails, return its result."""

    def run() -> HostReturn:
        return _failed(contexts, id, first, call.jid) or _called(contexts, id, call)

    return reached(contexts, id, run)


def shell_on(
    contexts: HostContexts, id: str, command: str, *, first: PreFlight | None = None, jid: str = ""
) -> HostReturn:
    """Run a shell command on a host (`--raw`), after the script `first`, whose failure is returned."""

    def run() -> HostReturn:
        before = _failed(contexts, id, first, jid)
        if before is not None:
            return before
        done = contexts.connection(id, "raw", command)
        # As in stock, only stderr loses its final newline.
        err = done["stderr"].removesuffix("\n")
        return HostReturn(id, _shell_return(done["stdout"], err, done["retcode"]), done["retcode"])

    return reached(contexts, id, run)


def _failed(contexts: HostContexts, id: str, script: PreFlight | None, jid: str) -> HostReturn | None:
    """Run a host's script unless it has run before; return its result if it failed, else None."""
    if script is None:
        return None
    with api.use(contexts.of(id)):
        if script.has_run():
            return None
    done = _called(contexts, id, HostCall("cmd.script", [script.path], {"args": script.args}, jid))
    if isinstance(done.value, dict) and done.value.get("cache_error"):
        text = f"the script {script.path} (ssh_pre_flight) does not exist on this machine"
        return _error(id, _shell_return("", text, exit_codes.FAILED), exit_codes.FAILED)
    if done.retcode:
        return done
    with api.use(contexts.of(id)):
        script.note()
    return None


def reached(contexts: HostContexts, id: str, run: Callable[[], HostReturn]) -> HostReturn:
    """Connect to a host and return the result of `run`, or an error if the host cannot be reached."""
    try:
        with lines_of(id):
            contexts.connect(id)
            return run()
    except HostKeyUnknown as exc:
        return _error(id, _shell_return(_KEY_UNKNOWN.format(exc), "", _UNKNOWN), _UNKNOWN)
    except Unreachable as exc:
        return _error(id, str(exc), _UNREACHABLE)
    except SaltGError as exc:
        return _error(id, _shell_return("", str(exc), exit_codes.FAILED), exit_codes.FAILED)


def _error(id: str, value: Any, code: int) -> HostReturn:
    return HostReturn(id, value, code, is_error=True)


def _called(contexts: HostContexts, id: str, call: HostCall) -> HostReturn:
    context = contexts.of(id)
    job = {"jid": call.jid, "fun": call.fun, "arg": call.args, "tgt": id}
    scratch = context.scratch.new_child({"retcode": 0})  # type: ignore[attr-defined]
    # The user can read the sources of the pillar on this machine, so nothing is masked.
    unmasks = call.fun.startswith("pillar.")
    call_context = context.replace(job=job, scratch=scratch, in_template=unmasks)
    with key_files.use(FilesOfHost()), api.use(call_context) as running:
        function = None
        try:
            function = running.offered()[call.fun]
            published = {name: job[name] for name in ("fun", "jid", "tgt")}
            args, kwargs = fit(function, call.args, call.kwargs, published=published)
            value = plain_return(function, function(*args, **kwargs))
        except Unreachable:
            raise
        # A plugin may raise anything; calls on the other hosts continue.
        except (Exception, SystemExit) as exc:
            log.debug("%s: %s raised", id, call.fun, exc_info=True)
            code = _code_of(exc, call.fun)
            text = wrapper_error(call.fun, function, exc)
            return _error(id, text or _shell_return("", _text_of(exc, call.fun), code), code)
        outputter = getattr(function, "__outputter__", None)
        return HostReturn(id, value, retcode_of(running, value), outputter)


def _code_of(exc: BaseException, fun: str) -> int:
    is_missing = isinstance(exc, NoSuchFunction) and exc.name == fun
    return exit_codes.UNAVAILABLE if is_missing else exit_codes.FAILED


def _text_of(exc: BaseException, fun: str) -> str:
    """Return the error text that stock's salt-call would print on the host."""
    if isinstance(exc, (HostFunctionFailed, NoSuchFunction, UnknownKeywords)):
        return str(exc)
    if isinstance(exc, CommandExecutionError):
        return failure_text(fun, exc)
    if isinstance(exc, TypeError):
        return f"Passed invalid arguments: {exc}."
    if isinstance(exc, SaltGError):
        return f"Error running '{fun}': {exc}"
    return "".join(traceback.format_exception(exc))


def _shell_return(out: str, err: str, code: int) -> dict[str, Any]:
    found: dict[str, Any] = {"stdout": out, "stderr": err, "retcode": code, "parsed": None}
    return {**found, "_error": _NONZERO} if code else found


def on_targeted_hosts(
    opts: Opts, tgt: Any, tgt_type: str, roster: str | None, work: Callable[[HostContexts, str], HostReturn]
) -> Iterator[HostReturn]:
    """Yield the results of `work` on the hosts of a target, for a call on another host.

    Used by `publish.*` and `mine.get`. `roster` replaces the command's roster.
    Errors: RosterError, TargetError.
    """
    chosen = {**opts, "roster": roster} if roster else opts
    found = RosterHosts(chosen).targeted(tgt, tgt_type, DELIMITER, takes_addresses=False)
    limit = int(chosen.get("ssh_max_procs") or _AT_ONCE)
    try:
        yield from each(found.hosts, lambda id: work(found.contexts, id), limit=limit)
    finally:
        found.contexts.close()
