"""States that call execution functions.

The two notations (new and old) are distinguished by the shape of the arguments.

Shapes: the new notation is {mod.fun: [argument, {key: value}, ...]}; the old one names the function in `name`
and gives its arguments next to it (`m_name` for an argument called `name`).
Source: stock docs of `salt.states.module`; conformance cases `states/module-run-*`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import functions as execution_functions
from salt_g.api import opts
from salt_g.errors import InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, failed, outcome, would_change

#: Keys that occur in both notations.
_NEUTRAL = {"name", "__reqs__", "sfun"}
#: Function arguments that collide with keys of the chunk; in the old notation they get `m_`.
_PREFIXED = {"name", "fun", "names", "state", "saltenv"}


@takes_any
def wait(name: str, **kwargs: Any) -> StateReturn:
    """Call an execution function only when a watched state has changed. The arguments are those of `run`.

    Example::

        salt-g state.single module.wait test.ping
    """
    return as_wanted(name)


#: Old name of `wait`.
watch = wait


@takes_any
def run(**kwargs: Any) -> StateReturn:
    """Call execution functions, in the new notation (`mod.fun: [arguments]`) or the old (`name: mod.fun`).

    Example::

        salt-g state.single module.run test.echo text=hello
    """
    keys = set(kwargs) - _NEUTRAL
    if any("." not in key for key in keys) or not keys:
        return _run_named(**kwargs)
    return _run_listed({key: value for key, value in kwargs.items() if "." in key})


@takes_any
def mod_watch(name: str, **kwargs: Any) -> StateReturn:
    """Call the functions of `run` when a watched state has changed.

    Example::

        salt-g state.single module.mod_watch test.ping
    """
    return run(name=name, **kwargs)


def _run_listed(calls: Mapping[str, Any]) -> StateReturn:
    """Call each function with its arguments; a label (`mod.fun:label`) distinguishes repeated calls."""
    name: Any = list(calls)
    missing = [key.partition(":")[0] for key in calls if key.partition(":")[0] not in execution_functions]
    planned = [key.partition(":")[0] for key in calls if opts["test"]]
    planned = [function for function in planned if function not in missing]
    if missing or planned:
        return outcome(name, False if missing else None, _plan(missing, planned))
    failures, successes, changes = [], [], {}
    for key, arguments in calls.items():
        try:
            ret = _call_with(execution_functions[key.partition(":")[0]], arguments or [])
        except TypeError as exc:
            failures.append(f"'{key}' failed: {exc}")
            continue
        if _succeeded(ret):
            text = ret.get("comment", "Success") if isinstance(ret, dict) else ret
            successes.append(f"{key}: {text}")
            changes[key] = ret
        elif isinstance(ret, dict):
            failures.append(f"'{key}' failed: {ret.get('comment', '(error message N/A)')}")
        else:
            failures.append(f"'{key}': {ret}")
    return outcome(name, not failures, ", ".join(failures + successes), changes)


def _plan(missing: list[str], planned: list[str]) -> str:
    # Stock's texts: "function" has no ending for one function, and the ending "True" for several.
    parts = []
    if missing:
        parts.append(f"Unavailable function{len(missing) > 1 or ''}: {', '.join(missing)}.")
    if planned:
        parts.append(f"Function{len(planned) > 1 or ''} {', '.join(planned)} to be executed.")
    return " ".join(parts)


def _call_with(function: Callable[..., Any], arguments: Any) -> Any:
    """Call a function with a list of arguments; mappings in it are keyword arguments."""
    items = arguments if isinstance(arguments, list) else [arguments]
    args = [item for item in items if not isinstance(item, dict)]
    kwargs = {key: value for item in items if isinstance(item, dict) for key, value in item.items()}
    signature = inspect.signature(function)
    required = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    missing = [name for name in required[len(args) :] if name not in kwargs]
    if missing:
        raise InvocationError(f"Missing arguments: {', '.join(missing)}")
    return function(*args, **kwargs)


def _run_named(name: str, **kwargs: Any) -> StateReturn:
    """Call one function whose arguments are next to its name."""
    if name not in execution_functions:
        return failed(name, f"Module function {name} is not available")
    if opts["test"]:
        return would_change(name, f"Module function {name} is set to execute")
    function = execution_functions[name]
    try:
        args, keywords = _collect(function, kwargs)
    except InvocationError as exc:
        return failed(name, str(exc))
    try:
        ret = function(*args, **keywords)
    except Exception as exc:
        # Plugin code: its failure is this state's failure.
        return failed(name, f"Module function {name} threw an exception. Exception: {exc}")
    return outcome(name, _succeeded(ret), f"Module function {name} executed", {"ret": ret})


def _collect(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the function's arguments from a chunk's keys; raises InvocationError."""
    args: list[Any] = []
    keywords: dict[str, Any] = {}
    missing = []
    for parameter in inspect.signature(function).parameters.values():
        key = f"m_{parameter.name}" if parameter.name in _PREFIXED else parameter.name
        found = key if key in given else parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += _expect(given.get(key, []), list, parameter.name)
        elif parameter.kind is parameter.VAR_KEYWORD:
            keywords |= _expect(given.get(parameter.name, {}), dict, parameter.name)
        elif found in given:
            keywords[parameter.name] = given[found]
        elif parameter.default is parameter.empty:
            missing.append(key)
    if missing:
        raise InvocationError(f"The following arguments are missing: {' '.join(missing)}")
    if args:
        # A function with *args gets the arguments before them by position.
        before = [name for name in inspect.signature(function).parameters if name in keywords]
        args = [keywords.pop(name) for name in before] + args
    return args, keywords


def _expect(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise InvocationError(f"'{name}' must be a {'list' if kind is list else 'dict'}.")
    return value


def _succeeded(ret: Any) -> bool:
    """Return whether a return reports success: no `result` False, no bad `retcode`, at any depth."""
    if isinstance(ret, bool):
        return ret
    if not isinstance(ret, dict):
        return True
    return not any(
        (key == "result" and value is False)
        or (key == "retcode" and value != 0)
        or (isinstance(value, dict) and not _succeeded(value))
        for key, value in ret.items()
    )
