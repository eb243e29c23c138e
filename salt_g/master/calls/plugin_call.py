"""Call of one runner or wheel function, with its outcome as a dict.

Shared by the daemon and by the command line without a daemon.
Shapes: a result is {return, success}, with retcode if the function raised or could not be called.
Source: stock's texts, tested against stock.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import NoSuchFunction, PluginError, SaltGError, UnknownKeywords, WireError
from salt_g.loader.arguments import fit
from salt_g.report.run_verdict import succeeded
from salt_g.shapes import CallArguments
from salt_g.shapes.loads import CallEvent, LoadFields
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Plugin kind for each kind of call.
TABLES = {"runner": "runners", "wheel": "wheel"}
#: `retcode` of a call that failed, and of one that could not start.
FAILED = 1
REFUSED = 254
#: Runners whose state runs belong to the runner's own job.
ORCHESTRATIONS = ("state.orchestrate", "state.orch", "state.sls")
#: Runners that can be resumed, in a cluster by another master, because they record what they have done.
RESUMED = (*ORCHESTRATIONS, "state.orchestrate_high")


def call_function(
    context: CallContext,
    kind: str,
    fun: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    before: Callable[[], Any] = lambda: None,
) -> CallEvent:
    """Call `fun` of `kind` (runner, wheel); return its outcome. `before` is called once all checks pass."""
    try:
        function = context.table(TABLES[kind])[fun]
        args, kwargs = fit(function, list(args), kwargs, published={})
    except NoSuchFunction as exc:
        return {"return": str(exc), "success": False, "retcode": REFUSED}
    except UnknownKeywords as exc:
        return {
            "return": "; ".join(filter(None, (str(exc), exc.advice))),
            "success": False,
            "retcode": REFUSED,
        }
    before()
    try:
        with api.use(context):
            value = function(*args, **kwargs)
    # A plugin may raise anything, and may call sys.exit.
    except (Exception, SystemExit) as exc:
        log.debug("%s raised", fun, exc_info=True)
        text = _failure(f"{kind} {fun}", function, args, kwargs, exc)
        return {"return": text, "success": False, "retcode": FAILED}
    return {"return": _sendable(value), "success": _is_success(value, context)}


def _failure(
    what: str,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    exc: BaseException,
) -> str:
    """Return the text of a failure: one sentence for errors meant for users, a traceback for all others."""
    wrong = str(exc) if isinstance(exc, TypeError) else _wrong_argument(function, args, kwargs, exc)
    if wrong:
        return f"\nPassed invalid arguments: {wrong}\n\nUsage:\n{function.__doc__}"
    if isinstance(exc, SaltGError) and not isinstance(exc, (NoSuchFunction, PluginError)):
        return f"{what}: {exc}"
    return f"Exception occurred in {what}: {traceback.format_exc()}"


def _wrong_argument(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], exc: BaseException
) -> str:
    """Return which argument has a type that the function does not accept, or '' if all are accepted."""
    # Imported lazily: calls that succeed need neither.
    from salt_g.loader.signature import signature_of
    from salt_g.state.compile.argument_types import ERRORS_OF_TYPES, wrong_argument

    if not isinstance(exc, ERRORS_OF_TYPES) or isinstance(exc, SaltGError):
        return ""
    given = {**dict(zip(signature_of(function).names, args, strict=False)), **kwargs}
    return wrong_argument(function, given, exc)


def split_load(load: LoadFields) -> CallArguments:
    """Return the arguments in the `kwarg` of a clear command.

    Newer clients nest {arg: [...], kwarg: {...}}; older ones send keywords alone. Keywords that begin with
    two underscores are for the client and not for the function.
    """
    if isinstance(load.get("arg"), list) and isinstance(load.get("kwarg"), dict):
        return list(load["arg"]), dict(load["kwarg"])
    return [], {name: value for name, value in load.items() if not name.startswith("__")}


def timeout_of(load: Any) -> float | None:
    """Return how long a call waits for its minions, or None if our client sent no timeout."""
    timeout = load.get("timeout") if isinstance(load, dict) and isinstance(load.get("arg"), list) else None
    return float(timeout) if isinstance(timeout, (int, float)) and timeout > 0 else None


def jid_of(load: Any) -> str:
    """Return the jid that our client chose for a call (`salt-g run --jid`), or '' if none."""
    jid = load.get("jid") if isinstance(load, dict) and isinstance(load.get("arg"), list) else None
    return jid if isinstance(jid, str) else ""


def _is_success(value: Any, context: CallContext) -> bool:
    """Return whether a function that did not raise succeeded, by its states or else by its own retcode."""
    if isinstance(value, dict) and "data" in value and "retcode" in value:
        return succeeded(value["data"])
    return not context.scratch.get("retcode")


def _sendable(value: Any) -> Any:
    """Return a value, or its text if it cannot be sent on the bus."""
    try:
        pack_bus(value)
    except WireError:
        return repr(value)
    return value
