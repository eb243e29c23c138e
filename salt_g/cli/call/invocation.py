"""Invocation of one function from the command line: lookup, argument conversion, error messages.

Shapes: `invoke(context, "cmd.run", ["ls"]) -> Returned | CannotCall`.
Source: texts and exit codes are stock's (conformance areas `entry`, `run`, `modules`).
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.api import CallContext, call, use
from salt_g.cli import exit_codes
from salt_g.cli.stdio import notices
from salt_g.data import jid
from salt_g.errors import (
    CommandExecutionError,
    CommandNotFound,
    FileServerError,
    NoSuchFunction,
    NotOffered,
    UnknownKeywords,
)
from salt_g.loader.arguments import fit, parse_words, usage
from salt_g.loader.current_values import plain_return
from salt_g.process.secret_hiding import hide

if TYPE_CHECKING:
    # Imported for type checkers only: a local call needs nothing else from these modules.
    from salt_g.shapes.loads import JobLoad, ReturnLoad
    from salt_g.shapes.plans import PlanDocument

log = logging.getLogger(__name__)

#: Errors that the operating system reports (permissions, disk space, existing files). They are not bugs, so
#: one line with the path is printed instead of a traceback.
_MACHINE_ERRORS = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.ENOTDIR,
    errno.EEXIST,
}


class CannotCall(NamedTuple):
    """Result if a function could not be called or raised: exit code, and the error already printed."""

    code: int
    error: str = ""


class Returned(NamedTuple):
    """Return value of a function.

    `retcode` is what the function set in stock's `__context__`, or 1 if its value reports a failure.
    `plan` is the plan of a test run with `--save`.
    """

    name: str
    args: list[Any]
    jid: str
    value: Any
    retcode: int
    outputter: str | None
    plan: PlanDocument | None = None

    def as_load(self, context: CallContext) -> ReturnLoad:
        """Return the return load in the shape that stock's minions send."""
        metadata = context.opts.get("__metadata")
        return {
            "id": context.opts["id"],
            "jid": self.jid,
            "fun": self.name,
            "fun_args": self.args,
            "return": self.value,
            "retcode": self.retcode,
            # The function returned; the retcode says whether it did what it should.
            "success": True,
            **({} if metadata is None else {"metadata": metadata}),
        }

    def exit_code(self, *, passthrough: bool) -> int:
        """Return the exit code: the function's own with `passthrough`, else 0 or 1."""
        if passthrough:
            return self.retcode
        return exit_codes.OK if self.retcode == 0 else exit_codes.FAILED


def invoke(
    context: CallContext, name: str, words: list[str], *, unparsed: Collection[str] = ()
) -> Returned | CannotCall:
    """Run the function `name` with arguments from the command line."""
    try:
        function = context.offered()[name]
    except NotOffered as exc:
        return _unavailable(exc)
    except NoSuchFunction as exc:
        return _documented(context, name) or _unavailable(exc)
    args, kwargs = parse_words(words, unparsed=unparsed)
    job: JobLoad = {"jid": jid.make(), "fun": name, "arg": args, "pid": os.getpid(), "tgt": "salt-call"}
    published = {key: job[key] for key in ("fun", "pid", "jid", "tgt")}
    try:
        args, kwargs = fit(function, args, kwargs, published=published)
        with use(context.replace(job=job)) as running:
            value = plain_return(function, _through_executors(running, job, function, args, kwargs))
    except UnknownKeywords as exc:
        return _unknown_keywords(exc)
    except CommandExecutionError as exc:
        return _failed(name, exc)
    except FileServerError as exc:
        return _failed(name, CommandExecutionError(str(exc)))
    except OSError as exc:
        if exc.errno not in _MACHINE_ERRORS:
            return _crashed()
        return _failed(name, CommandExecutionError(f"{exc}{_advice(exc, context)}"))
    except TypeError as exc:
        is_for_program = notices(context.opts) is not sys.stdout
        return _wrong_arguments(name, function, exc, is_for_program=is_for_program)
    # A plugin may raise anything; print the traceback for its author, return the exit code to the shell.
    except Exception:
        if context.opts.get("hard_crash"):
            raise
        return _crashed()
    return _returned(running, name, args, value, function)


def _through_executors(
    context: CallContext, job: JobLoad, function: Callable[..., Any], args: list[Any], kwargs: Any
) -> Any:
    """Call the function, through the executors of `--module-executors` if given."""
    if not context.opts.get("module_executors"):
        return function(*args, **kwargs)
    from salt_g.minion.jobs.executors import executors_of, run_through

    executors = executors_of(context.opts, job, str(job["fun"]))
    return run_through(executors, context, job, function, args, kwargs)


def _returned(
    context: CallContext, name: str, args: list[Any], value: Any, function: Callable[..., Any]
) -> Returned:
    retcode = retcode_of(context, value)
    outputter, plan = getattr(function, "__outputter__", None), context.scratch.get("plan")
    return Returned(name, args, context.job["jid"], value, retcode, outputter, plan)


def retcode_of(context: CallContext, value: Any) -> int:
    """Return the retcode that a function set; if it set none, return 1 if its value reports a failure."""
    retcode = context.scratch.get("retcode", 0)
    if retcode == 0 and isinstance(value, Mapping) and False in (value.get("result"), value.get("success")):
        retcode = 1
    return int(retcode)


def _documented(context: CallContext, name: str) -> Returned | None:
    """Return the documentation of all functions whose names begin with `name`, or None if there are none."""
    with use(context):
        if context.table("modules").get("sys.doc") is None:
            return None
        docs = dict(call("sys.doc", f"{name}*"))
    if not docs:
        return None
    missing = f"'{name}' is not available."
    return Returned(name, [], jid.make(), {name: missing, **docs}, exit_codes.FAILED, "nested")


def _unavailable(exc: NoSuchFunction) -> CannotCall:
    print(exc, file=sys.stderr)
    from salt_g.cli import dispatch, suggestions

    nearest = suggestions.subcommands(exc.name, dispatch.SUBCOMMANDS) + exc.nearest
    if nearest:
        log.error("perhaps you meant: %s", ", ".join(nearest))
    elif "." not in exc.name:
        log.error("a minion needs a function: salt-g %s test.ping", exc.name)
    return CannotCall(exit_codes.UNAVAILABLE, str(exc))


def _unknown_keywords(exc: UnknownKeywords) -> CannotCall:
    print(exc, file=sys.stderr)
    if exc.advice:
        log.error("%s", exc.advice)
    return CannotCall(exit_codes.FAILED, str(exc))


def _failed(name: str, exc: CommandExecutionError) -> CannotCall:
    text = hide(failure_text(name, exc))
    print(text, file=sys.stderr)
    log.debug("%s raised", name, exc_info=True)
    return CannotCall(exit_codes.FAILED, text)


def failure_text(name: str, exc: CommandExecutionError) -> str:
    """Return the message of a function that failed."""
    if isinstance(exc, CommandNotFound):
        return f"Command required for '{name}' not found: {exc}"
    return f"Error running '{name}': {_with_info(exc)}"


def _advice(exc: OSError, context: CallContext) -> str:
    """Return advice if the error is about a cache directory that this user cannot write to, else ''."""
    if isinstance(exc, PermissionError) and str(exc.filename).startswith(str(context.opts["cachedir"])):
        return "; run as root, or use a cache directory of your own: --cachedir=DIR"
    return ""


def _with_info(exc: CommandExecutionError) -> str:
    """Return the error message, followed by the data attached to the error."""
    message = str(exc)
    if not exc.info:
        return message
    from salt_g.output.nested import output  # Imported lazily: errors with data are rare.

    stop = "" if message.endswith((".", "?", "!")) else "."
    return f"{message}{stop} Additional info follows:\n\n{output(exc.info, {})}"


def _wrong_arguments(
    name: str, function: Callable[..., Any], exc: TypeError, *, is_for_program: bool
) -> CannotCall:
    """Report a TypeError as wrong arguments, which it nearly always is; log details at debug level.

    Stock's text goes to standard error, the usage to standard output or, if a program reads that, to the log.
    """
    text = hide(f"Passed invalid arguments: {exc}.")
    print(f"\n{text}\n\nUsage:", file=sys.stderr)
    if is_for_program:
        log.error("%s", usage(name, function))
    else:
        print(f"{usage(name, function)}\n{function.__doc__ or ''}")
    log.debug("%s raised", name, exc_info=True)
    return CannotCall(exit_codes.FAILED, text)


def _crashed() -> CannotCall:
    import traceback

    trace = hide(traceback.format_exc())
    sys.stderr.write(trace)
    return CannotCall(exit_codes.FAILED, trace.rstrip().rpartition("\n")[2])
