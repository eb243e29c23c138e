"""Shutdown and reboot of the machine.

A daemon's return is written to disk before the machine goes down, and is sent after the next start.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.modules._required import require


def halt() -> str:
    """Stop the machine without turning it off.

    Example::

        salt-g system.halt
    """
    return _run("halt")


def init(runlevel: Any) -> str:
    """Change the runlevel.

    Example::

        salt-g system.init 3
    """
    return _run("init", runlevel)


def poweroff() -> str:
    """Turn the machine off.

    Example::

        salt-g system.poweroff
    """
    return _run("poweroff")


def reboot(at_time: Any = None) -> str:
    """Restart the machine.

    at_time
        Delay in minutes, or a time (`22:00`); immediate by default.

    Example::

        salt-g system.reboot at_time=1
    """
    return _run("shutdown", "-r", at_time or "now")


def shutdown(at_time: Any = None) -> str:
    """Turn the machine off. `at_time` is as in `system.reboot`.

    Example::

        salt-g system.shutdown at_time=5
    """
    return _run("shutdown", "-h", at_time or "now")


def _run(program: str, *words: Any) -> str:
    """Run a program; return its output. Raises CommandNotFound with the program's package."""
    require(program)
    return str(call("cmd.run", [program, *map(str, words)], python_shell=False))
