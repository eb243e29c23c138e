"""Execution of `firewall-cmd`, and reloads after changes."""

from __future__ import annotations

from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import run


def run_firewalld(*words: str, zone: str | None = None, permanent: bool = False) -> str:
    """Run `firewall-cmd` and return its output; raise CommandExecutionError with its message if it fails.

    `zone` None is the default zone; `permanent` changes the configuration of the next start, not the running
    one.
    """
    place = [f"--zone={zone}"] if zone else []
    done = run(["firewall-cmd", *place, *words, *(["--permanent"] if permanent else [])])
    if done["retcode"] != 0:
        raise CommandExecutionError(f"firewall-cmd failed: {done['stderr'] or done['stdout']}")
    return done["stdout"]


def change_and_reload(word: str, restart: bool) -> str:
    """Change the permanent configuration, and with `restart` load it; return the output."""
    out = run_firewalld(word, permanent=True)
    return run_firewalld("--reload") if restart and out == "success" else out
