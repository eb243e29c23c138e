"""Programs managed by supervisord, through supervisorctl and supervisord's configuration file.

Shapes: functions that change something return supervisorctl's output, with `ERROR` in it on failure.
In every function `user` is the user to run supervisorctl as, `conf_file` supervisord's configuration file,
`bin_env` a virtualenv with supervisor or the path of supervisorctl. Tested with recorded transcripts.
"""

from __future__ import annotations

import configparser
import contextlib
import os
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules._programs import act, is_installed, run

_PROGRAM = "supervisorctl"
_FILES = ("/etc/supervisor/supervisord.conf", "/etc/supervisord.conf")
_WORDS = {"true": True, "false": False}


class _State(NamedTuple):
    """One line of `supervisorctl status`."""

    name: str
    state: str
    reason: str


def start(
    name: str = "all", user: str | None = None, conf_file: str | None = None, bin_env: str | None = None
) -> str:
    """Start a program, a group (`group:`) or all.

    Example::

        salt-g supervisord.start web
    """
    return _supervisorctl(["start", _with_colon(name)], user, conf_file, bin_env)


def restart(
    name: str = "all", user: str | None = None, conf_file: str | None = None, bin_env: str | None = None
) -> str:
    """Restart a program, a group (`group:`) or all.

    Example::

        salt-g supervisord.restart web
    """
    return _supervisorctl(["restart", _with_colon(name)], user, conf_file, bin_env)


def stop(
    name: str = "all", user: str | None = None, conf_file: str | None = None, bin_env: str | None = None
) -> str:
    """Stop a program, a group (`group:`) or all.

    Example::

        salt-g supervisord.stop web
    """
    return _supervisorctl(["stop", _with_colon(name)], user, conf_file, bin_env)


def add(name: str, user: str | None = None, conf_file: str | None = None, bin_env: str | None = None) -> str:
    """Activate a program or group that is in supervisord's configuration.

    Example::

        salt-g supervisord.add web
    """
    return _supervisorctl(["add", _plain(name)], user, conf_file, bin_env)


def remove(
    name: str, user: str | None = None, conf_file: str | None = None, bin_env: str | None = None
) -> str:
    """Deactivate a stopped program or group.

    Example::

        salt-g supervisord.remove web
    """
    return _supervisorctl(["remove", _plain(name)], user, conf_file, bin_env)


def reread(user: str | None = None, conf_file: str | None = None, bin_env: str | None = None) -> str:
    """Make supervisord reread its configuration without starting or stopping programs.

    Example::

        salt-g supervisord.reread
    """
    return _supervisorctl(["reread"], user, conf_file, bin_env)


def update(
    user: str | None = None,
    conf_file: str | None = None,
    bin_env: str | None = None,
    name: str | None = None,
) -> str:
    """Make supervisord reread its configuration, then add, remove and restart the groups that have changed.

    name
        Update only this group.

    Example::

        salt-g supervisord.update
    """
    return _supervisorctl(["update", *([_plain(name)] if name else [])], user, conf_file, bin_env)


def status(
    name: str | None = None,
    user: str | None = None,
    conf_file: str | None = None,
    bin_env: str | None = None,
) -> dict[str, dict[str, str]]:
    """Return {program: {state, reason}} of all programs, or of one.

    Example::

        salt-g supervisord.status
    """
    states = _states(status_raw(name, user, conf_file, bin_env))
    return {each.name: {"state": each.state, "reason": each.reason} for each in states}


def status_raw(
    name: str | None = None,
    user: str | None = None,
    conf_file: str | None = None,
    bin_env: str | None = None,
) -> str:
    """Return the output of `supervisorctl status`.

    Example::

        salt-g supervisord.status_raw
    """
    return _supervisorctl(["status", *([name] if name else [])], user, conf_file, bin_env)


def status_bool(
    name: str,
    expected_state: str | None = None,
    user: str | None = None,
    conf_file: str | None = None,
    bin_env: str | None = None,
) -> bool:
    """Return whether a program exists and, if `expected_state` is given, is in that state.

    Example::

        salt-g supervisord.status_bool web expected_state=RUNNING
    """
    found = next(
        (each for each in _states(status_raw(name, user, conf_file, bin_env)) if each.name == name), None
    )
    if found is None or found.reason == "(no such process)":
        return False
    return expected_state in (None, found.state)


def custom(
    command: str, user: str | None = None, conf_file: str | None = None, bin_env: str | None = None
) -> str:
    """Run a supervisorctl command and return its output.

    Example::

        salt-g supervisord.custom 'pid web'
    """
    return _supervisorctl([command], user, conf_file, bin_env)


def options(name: str, conf_file: str | None = None) -> dict[str, Any]:
    """Return {option: value} of a program from supervisord's configuration file.

    Example::

        salt-g supervisord.options web
    """
    path = conf_file or next(filter(os.path.exists, _FILES), None)
    if path is None:
        raise CommandExecutionError(f"No suitable config file found, looked for {', '.join(_FILES)}")
    config = configparser.ConfigParser(interpolation=None)
    try:
        config.read(path, encoding="utf-8")
    except (OSError, configparser.Error) as exc:
        raise CommandExecutionError(f"Unable to read from {path}: {exc}") from exc
    if f"program:{name}" not in config:
        raise CommandExecutionError(f"Process '{name}' not found")
    return {key: _value(text) for key, text in config[f"program:{name}"].items()}


def _supervisorctl(words: list[str], user: str | None, conf_file: str | None, bin_env: str | None) -> str:
    settings = ["-c", conf_file] if conf_file else []
    # `status` exits with 3 if a program is not running; that is no failure.
    ask = run if words[0].startswith("status") else act
    done = ask([_program(bin_env), *settings, *words], runas=user)
    said = done["stdout"]
    return said if done["retcode"] == 0 or "ERROR" in said else f"ERROR: {said}"


def _program(bin_env: str | None) -> str:
    if not bin_env:
        if not is_installed(_PROGRAM):
            raise CommandNotFound(f"Could not find a `{_PROGRAM}` binary")
        return _PROGRAM
    if not os.path.isdir(bin_env):
        return bin_env
    path = os.path.join(bin_env, "bin", _PROGRAM)
    if not os.path.isfile(path):
        raise CommandNotFound(f"Could not find a `{_PROGRAM}` binary in {bin_env}/bin")
    return path


def _with_colon(name: str) -> str:
    """Return a name for starting and stopping, with `web:` in place of `web:*`."""
    return name.removesuffix("*") if name.endswith(":*") else name


def _plain(name: str) -> str:
    """Return a group's name for adding and removing, without `:` or `:*`."""
    return _with_colon(name).removesuffix(":")


def _states(text: str) -> list[_State]:
    rows = (line.split(None, 2) for line in text.splitlines())
    return [_State(*[*row, ""][:3]) for row in rows if len(row) > 1]


def _value(text: str) -> Any:
    """Return a setting without its comment, with numbers and booleans converted."""
    plain = text.split(";")[0].strip()
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(plain)
    return _WORDS.get(plain.lower(), plain)
