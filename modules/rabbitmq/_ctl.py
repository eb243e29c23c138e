"""Commands of rabbitmqctl and rabbitmq-plugins, and parsing of their output.

Passwords are sent through standard input, never on the command line. Lists are requested as JSON, which
RabbitMQ prints from 3.8 on.

Errors: CommandExecutionError, `RabbitMQ command failed: the program's output`.
"""

from __future__ import annotations

import json
from typing import Any

from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules._programs import is_installed, run

#: Residue of the password prompt in the output.
_PROMPT = "Password:"


def ctl(*words: str, runas: str | None = None, stdin: str | None = None) -> str:
    """Run rabbitmqctl and return its output."""
    return _program("rabbitmqctl", *words, runas=runas, stdin=stdin)


def plugins(*words: str, runas: str | None = None) -> str:
    """Run rabbitmq-plugins and return its output."""
    return _program("rabbitmq-plugins", *words, runas=runas)


def listed(*words: str, runas: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a rabbitmqctl list, each {column: value}."""
    printed = ctl(*words, "--formatter=json", "-q", runas=runas)
    try:
        rows: list[dict[str, Any]] = json.loads(printed or "[]")
    except ValueError:
        raise CommandExecutionError(f"RabbitMQ command failed: expected JSON, got {printed!r}") from None
    return rows


def lines(printed: str) -> list[str]:
    """Return the lines of a plain list without the program's messages."""
    own = ("Listing", "WARNING:", "...done")
    return [line for line in printed.splitlines() if line and not line.startswith(own)]


def _program(name: str, *words: str, runas: str | None, stdin: str | None = None) -> str:
    if not is_installed(name):
        raise CommandNotFound(f"program {name!r} is not installed; the package rabbitmq-server has it")
    options = {"runas": runas, "reset_system_locale": False, "stdin_raw_newlines": True}
    finished = run([name, *words], stdin=stdin, **options)
    if finished["retcode"] != 0:
        raise CommandExecutionError(
            f"RabbitMQ command failed: {finished['stderr'] or finished['stdout']}".strip()
        )
    shown = (
        line.removeprefix(_PROMPT).strip() if line.startswith(_PROMPT) else line
        for line in finished["stdout"].splitlines()
    )
    return "\n".join(line for line in shown if line)
