"""Stock's `salt.scripts`: the programs, as functions that use `sys.argv` and end the process.

Each starts salt-g under the name of the program; daemons replace the calling process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from salt_g.compat.refusal import refuse
from salt_g.process.command import own_python


def _words(name: str, *words: str) -> list[str]:
    """Return the command line that starts salt-g under the name of one of stock's programs."""
    code = f"sys.argv[0] = {name!r}; from salt_g.cli import main; main()"
    return [*own_python(code), *words, *sys.argv[1:]]


def _program(name: str, *words: str) -> Callable[..., NoReturn]:
    def run(*stock: Any, **more: Any) -> NoReturn:
        sys.stdout.flush()
        raise SystemExit(subprocess.call(_words(name, *words)))

    run.__doc__ = f"Run `{name}` with the words of this program's command line, and end with its exit code."
    return run


def _daemon(name: str) -> Callable[[], NoReturn]:
    def run() -> NoReturn:
        sys.stdout.flush()
        command = _words(name)
        os.execv(command[0], command)  # noqa: S606 - the daemon replaces this process

    run.__doc__ = f"Become `{name}`, with the words of this program's command line."
    return run


def _install_signal_handlers(client: Any) -> None:
    """Make SIGINT and SIGTERM end the program with a message, unless other handlers are installed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(f"ended by {signal.Signals(number).name}")

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end)


salt_api = _daemon("salt-api")
salt_call = _program("salt-call")
salt_cp = _program("salt-cp")
salt_key = _program("salt-key")
salt_main = _program("salt")
salt_master = _daemon("salt-master")
salt_minion = _daemon("salt-minion")
salt_pip = _program("salt-g", "pip")
salt_run = _program("salt-run")
salt_ssh = _program("salt-ssh")

salt_cloud = refuse("salt.scripts.salt_cloud", "create machines with the tools of the cloud")
salt_extend = refuse("salt.scripts.salt_extend", "write a plugin file; docs/writing.md shows each kind")
salt_proxy = refuse("salt.scripts.salt_proxy", "devices are resources of a minion here")
salt_spm = refuse("salt.scripts.salt_spm", "copy file trees with the tools of your repository")
salt_syndic = refuse("salt.scripts.salt_syndic", "minions may have several masters, which share a database")

__all__ = ["salt_api", "salt_call", "salt_cloud", "salt_cp", "salt_extend", "salt_key", "salt_main"]
__all__ += ["salt_master", "salt_minion", "salt_pip", "salt_proxy", "salt_run", "salt_spm", "salt_ssh"]
__all__ += ["salt_syndic"]
