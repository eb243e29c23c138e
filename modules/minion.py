"""The minion daemon of this machine, and a local master's keys (`minion.list`)."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError

#: The states of keys, each a folder of `pki_dir`.
_KEY_FOLDERS = ("minions", "minions_pre", "minions_rejected", "minions_denied")


def list_() -> dict[str, list[str]]:
    """Return the ids of keys in `pki_dir` by their state; empty lists on a machine without master keys.

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


def restart() -> dict[str, Any]:
    """Terminate the running minion and start it again.

    The setting `minion_restart_command` (a list of words) starts it; without it the service manager must.

    Example::

        salt-g minion.restart
    """
    words: Sequence[str] = opts.get("minion_restart_command") or []
    told = kill()
    restarted: dict[str, Any] = {"killed": told["killed"], "restart": {}, "service_restart": {}}
    if words:
        restarted["restart"] = call("cmd.run_bg", list(words), python_shell=False)
        return {**restarted, "retcode": 0, "comment": told.get("comment", [])}
    return {**restarted, "retcode": told["retcode"], "comment": told.get("comment", [])}


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
