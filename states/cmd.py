"""States that run commands and scripts.

A command has no state to compare, so `run` and `script` always run, subject to the conditions `unless`,
`onlyif` and `creates` of the state engine. `wait` and `wait_script` run only when a watched state has
changed.
Source: stock's `cmd` states; conformance cases `states/cmd-*`, `cond/*`.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.api import call as call_function
from salt_g.api import grains, opts
from salt_g.errors import CommandExecutionError, RenderError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change

NOT_STATEFUL = "Failed parsing script output! Stdout must be JSON or a line of name=value pairs."


def run(
    name: str,
    cwd: str | None = None,
    root: str | None = None,
    runas: str | None = None,
    env: Any = None,
    stateful: Any = False,
    shell: str | None = None,
    ignore_timeout: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Run a command through a shell; its exit code decides the result.

    stateful
        The command reports its changes in its last line (or as a JSON object):
        `changed=yes comment='text' key=value`. A list `[{test_name: command}]` names the
        command to run in test mode.
    root
        Run inside this root directory (`cmd.run_chroot`).
    ignore_timeout
        Treat a command killed at its time limit as a success.

    The other arguments are those of `cmd.run_all`.

    Example::

        salt-g state.single cmd.run 'date > /tmp/now' creates=/tmp/now
    """
    asked, test_name = name, _test_name(stateful)
    if opts.get("test") and test_name:
        name = test_name
    if _is_wrong_env(env):
        return failed(name, "Invalidly-formatted 'env' parameter. See documentation.")
    if opts.get("test") and not test_name:
        return _would_run(name, f'Command "{name}" would have been executed', {"cmd": name}, stateful)
    if cwd and not _is_directory(cwd):
        return failed(name, f'Desired working directory "{cwd}" is not available')
    options = {**kwargs, "cwd": cwd, "runas": runas, "env": env, "shell": _shell(shell)}
    function = "cmd.run_all"
    if root:
        function, options["root"] = "cmd.run_chroot", root
    try:
        done = call_function(function, cmd=name, python_shell=True, **options)
    # A plugin call: its error becomes the comment of the state.
    except Exception as exc:
        return failed(asked, str(exc))
    result = not done["retcode"]
    if ignore_timeout and done["retcode"] == 1 and "Timed out after" in done["stdout"]:
        done["retcode"], result = 0, True
    return _reported(outcome(asked, result, f'Command "{name}" run', done), done, stateful)


def script(
    name: str,
    source: str | None = None,
    cwd: str | None = None,
    runas: str | None = None,
    env: Any = None,
    stateful: Any = False,
    shell: str | None = None,
    defaults: dict[str, Any] | None = None,
    context: dict[str, Any] | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Fetch a script and run it; its exit code decides the result.

    name
        URL of the script or, with `source`, a name followed by the arguments.
    source
        URL of the script.
    args
        Arguments of the script: text with shell quoting, or a list.
    template, defaults, context
        Render the script with this engine first, with these variables.
    stateful
        As in `cmd.run`.

    The other arguments are those of `cmd.script`.

    Example::

        salt-g state.single cmd.script salt://scripts/setup.sh args='one two'
    """
    test_name = _test_name(stateful)
    if opts.get("test") and test_name:
        name = test_name
    wrong = _wrong_variables(env, context, defaults)
    if wrong:
        return failed(name, wrong)
    if opts.get("test") and not test_name:
        return _would_run(name, f"Command '{name}' would have been executed", {}, stateful)
    if cwd and not _is_directory(cwd):
        return failed(name, f'Desired working directory "{cwd}" is not available')
    options = {
        **kwargs,
        "cwd": cwd,
        "runas": runas,
        "env": env,
        "shell": _shell(shell),
        "saltenv": api.current().saltenv,
    }
    options["context"] = {**(defaults or {}), **(context or {})}
    if not options.get("args") and len(name.split()) > 1:
        options["args"] = name.split(" ", 1)[1]
    try:
        done = call_function("cmd.script", source or name, python_shell=True, **options)
    except (CommandExecutionError, RenderError, OSError) as exc:
        return failed(name, str(exc))
    comment = _script_comment(name, source or name, done)
    return _reported(outcome(name, not done["retcode"], comment, done), done, stateful)


def _script_comment(name: str, source: str, done: dict[str, Any]) -> str:
    if done.get("cache_error"):
        return f"Unable to cache script {source} from saltenv '{api.current().saltenv}'"
    return f"Command '{name}' run"


def wait(name: str, **kwargs: Any) -> StateReturn:
    """Run a command only when a watched state has changed. For the arguments see `run`.

    Example::

        salt-g state.single cmd.wait 'newaliases'
    """
    return as_wanted(name)


def watch(name: str, **kwargs: Any) -> StateReturn:
    """Alias of `wait`.

    Example::

        salt-g state.single cmd.watch 'newaliases'
    """
    return as_wanted(name)


def wait_script(name: str, **kwargs: Any) -> StateReturn:
    """Run a script only when a watched state has changed. For the arguments see `script`.

    Example::

        salt-g state.single cmd.wait_script salt://scripts/setup.sh
    """
    return as_wanted(name)


def call(
    name: str, func: Callable[..., Any], args: Any = (), kws: dict[str, Any] | None = None, **kwargs: Any
) -> StateReturn:
    """Call a Python function of a `pyobjects` or `py` SLS; its return value is the result.

    func, args, kws
        The function and its arguments. If it returns a mapping, that is the state return; a text is the
        comment; None means success.

    Example::

        state("cmd").call("greet", func=greet)
    """
    result = func(*args, **(kws or {}))
    if isinstance(result, dict):
        return {**failed(name, ""), **result}
    comment = result if isinstance(result, str) else ""
    return outcome(name, True if result is None else bool(result), comment, {"retval": result})


def wait_call(name: str, func: Callable[..., Any], **kwargs: Any) -> StateReturn:
    """Call a Python function only when a watched state has changed. See `call`.

    Example::

        state("cmd").wait_call("greet", func=greet)
    """
    return as_wanted(name)


def mod_watch(name: str, **kwargs: Any) -> StateReturn:
    """Run the command, script or function of a state because a watched state has changed.

    Example::

        salt-g state.single cmd.mod_watch 'newaliases' sfun=wait
    """
    function = kwargs["sfun"]
    if function in ("wait", "run", "watch"):
        return run(name, **kwargs)
    if function in ("wait_script", "script"):
        return script(name, **kwargs)
    if function not in ("wait_call", "call"):
        instead = "please use cmd.wait or cmd.wait_script"
        return failed(name, f"cmd.{function} does not work with the watch requisite, {instead}")
    if not kwargs.get("func"):
        return failed(name, f"cmd.{function} needs a named parameter func")
    return call(name, **kwargs)


def _is_directory(path: str) -> bool:
    """Return whether a path is a directory, on this machine or on the resource of the call."""
    if not api.resource:
        return os.path.isdir(path)
    # If the resource type has no such function, the command itself reports the error.
    return not api.has("file.directory_exists") or bool(call_function("file.directory_exists", path))


def _test_name(stateful: Any) -> str | None:
    """Return the command that replaces the real one in test mode."""
    return stateful[0].get("test_name") if isinstance(stateful, list) and stateful else None


def _is_stateful(stateful: Any) -> bool:
    return stateful is True or bool(isinstance(stateful, list) and stateful)


def _is_wrong_env(env: Any) -> bool:
    return env is not None and not isinstance(env, (list, dict))


def _wrong_variables(env: Any, context: Any, defaults: Any) -> str:
    if _is_wrong_env(env):
        return "Invalidly-formatted 'env' parameter. See documentation."
    for key, value in (("context", context), ("defaults", defaults)):
        if value and not isinstance(value, dict):
            return f"Invalidly-formatted '{key}' parameter. Must be formed as a dict."
    return ""


def _shell(shell: str | None) -> str:
    return shell or grains.get("shell") or "/bin/sh"


def _would_run(name: str, comment: str, changes: dict[str, Any], stateful: Any) -> StateReturn:
    """Return the test mode result; for a stateful command, which decides itself what changes, it is empty."""
    return would_change(name, "") if _is_stateful(stateful) else would_change(name, comment, changes)


def _reported(made: StateReturn, done: dict[str, Any], stateful: Any) -> StateReturn:
    """Return the state return reported by a stateful command, or the unchanged return."""
    if _is_stateful(stateful):
        made = _parse_stateful_output(made)
    if opts.get("test") and done["retcode"] == 0 and made["changes"]:
        made["result"] = None
    return made


def _parse_stateful_output(made: StateReturn) -> StateReturn:
    """Parse the output of a stateful command: a JSON object, or name=value words in its last line."""
    done = made["changes"]
    printed = done.get("stdout") or ""
    if not printed:
        return {**made, "changes": {}, "comment": done.get("stderr") or ""}
    before, returned = _parsed(printed)
    if returned is None:
        return {**made, "changes": done, "comment": NOT_STATEFUL, "result": False}
    if not isinstance(returned, dict):
        text = "script JSON output must be a JSON object (e.g., {})!"
        return {**made, "changes": {}, "comment": text, "result": False}
    made = {**made, "changes": {}, "comment": returned.pop("comment", "")}
    if _is_true(returned.get("changed", "no")):
        made["changes"] = {**returned, **{**done, **returned}, "stdout": before}
    return made


def _parsed(printed: str) -> tuple[str, Any]:
    """Return (output before the report, report); the report is None if it is invalid."""
    try:
        return "", json.loads(printed)
    except ValueError:
        before, _, last = printed.rstrip().rpartition("\n")
    try:
        words = [word.split("=") for word in shlex.split(last)]
        return before, dict(words)
    except ValueError:
        return before, None


def _is_true(value: Any) -> bool:
    text = str(value).lower()
    if text in ("true", "yes", "1"):
        return True
    if text in ("false", "no", "0"):
        return False
    raise ValueError(f"Failed parsing boolean value: {value}")
