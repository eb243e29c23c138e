"""The minion daemon of this machine, and a local master's keys (`minion.list`)."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.command import is_frozen

#: The states of keys, each a folder of `pki_dir`.
_KEY_FOLDERS = ("minions", "minions_pre", "minions_rejected", "minions_denied")
#: Shell code: wait up to 5 minutes until the process `$1` has ended (its jobs may need time), then run the
#: command in the other words.
_START_AFTER = """\
n=0
while [ -n "$1" ] && kill -0 "$1" 2>/dev/null && [ $n -lt 1500 ]; do n=$((n+1)); sleep 0.2; done
shift
exec "$@"
"""
_NOT_RESTARTED = "The minion runs in the foreground: what has started it must start it again"


def list_() -> dict[str, list[str]]:
    """Return the ids of the keys in `pki_dir` by state; the lists are empty on a machine without master keys.

    Example::

        salt-g minion.list
    """
    return {folder: _names(os.path.join(str(opts["pki_dir"]), folder)) for folder in _KEY_FOLDERS}


def kill(timeout: float = 15) -> dict[str, Any]:
    """Terminate the running minion; return {"killed": its pid, "retcode": 0 if the signal was sent}.

    A job of the minion cannot wait until the minion has ended, so `timeout` is ignored.

    Example::

        salt-g minion.kill
    """
    pid = _pid()
    if not pid:
        return {"killed": None, "retcode": 1}
    os.kill(pid, signal.SIGTERM)
    return {"killed": pid, "retcode": 0, "comment": [f"the minion with pid {pid} was asked to stop"]}


def restart(
    systemd: bool = True, win_service: bool = True, schedule_retry: bool = False, retry_delay: int = 180
) -> dict[str, Any]:
    """Restart the minion; return {"killed": pid, "restart", "service_restart", "retcode", "comment"}.

    The minion is started again by the command in the setting `minion_restart_command` (a list of words).
    Without that setting, systemd restarts a minion that is a service, unless `systemd` is False; any other
    minion in the background is started with its own command line, and one in the foreground is only stopped.
    The new minion starts once the old one has ended, so `schedule_retry` and `retry_delay` have no effect;
    neither has `win_service`, which is for Windows.

    Example::

        salt-g minion.restart
    """
    pid = _pid()
    words = [str(word) for word in opts.get("minion_restart_command") or ()]
    if pid and not words and systemd and (unit := _unit_of(pid)):
        return _restarted_by_systemd(unit)
    comment = [f"Using configuration minion_restart_command: {shlex.join(words)}"] if words else []
    if pid and not words:
        words = _words_of(pid)
        comment = [f"Restart using process argv: {shlex.join(words)}"] if words else [_NOT_RESTARTED]
    restarted: dict[str, Any] = {"killed": pid, "restart": {}, "service_restart": {}, "comment": comment}
    if words:
        after = ["/bin/sh", "-c", _START_AFTER, "sh", str(pid or ""), *words]
        where = os.path.realpath(f"/proc/{pid}/cwd") if pid else "/"
        restarted["restart"] = call("cmd.run_bg", after, cwd=where, python_shell=False)
    return {**restarted, "retcode": kill()["retcode"] if pid else int(not words)}


def _restarted_by_systemd(unit: str) -> dict[str, Any]:
    call("service.restart", unit, no_block=True)
    comment = [f"Using systemctl to restart {unit}", "Service restart was requested"]
    done = {"killed": None, "restart": {}, "service_restart": {"result": True}}
    return {**done, "retcode": 0, "comment": comment}


def _unit_of(pid: int) -> str:
    """Return the systemd service whose main process has this pid, or '' if there is none."""
    try:
        with open(f"/proc/{pid}/cgroup", encoding="utf-8") as file:
            units = {os.path.basename(line.strip()) for line in file}
    except OSError:
        return ""
    for unit in sorted(name for name in units if name.endswith(".service")):
        ask = ["systemctl", "show", "--property=MainPID", "--value", unit]
        asked = call("cmd.run_all", ask, python_shell=False, ignore_retcode=True)
        if asked["retcode"] == 0 and asked["stdout"].strip() == str(pid):
            return unit
    return ""


def _words_of(pid: int) -> list[str]:
    """Return the command line of a daemon in the background, [] for one in the foreground."""
    if pid == os.getpid():
        # /proc may show a changed title (`setproctitle`), or the command line of an unpacked program.
        words = list(sys.argv if is_frozen() else sys.orig_argv)
    else:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read().rstrip(b"\0").split(b"\0")]
    if not {"-d", "--daemon"} & set(words):
        return []
    # An invitation code is valid only once, and the command line masks it.
    return [word for word in words if not word.startswith("--invite=")]


def _pid() -> int | None:
    """Return the process id of the running minion."""
    try:
        with open(str(opts["pidfile"]), encoding="ascii") as file:
            pid = int(file.read())
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    return pid


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise CommandExecutionError(f"{folder}: {exc.strerror}") from exc


__func_alias__ = {"list_": "list"}
