"""Calls and checks for the mailbox of a real master."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

from tests.support.commands import PROGRAM, Outcome, outcome_of
from tests.support.daemons import RunningMaster


def mailbox(master: RunningMaster, *words: str) -> Outcome:
    """Run `salt-g mailbox`; return its Outcome."""
    return outcome_of([PROGRAM, "mailbox", *words, "-c", str(master.config_dir)])


def orders(master: RunningMaster) -> list[dict[str, Any]] | None:
    """Return the orders, None while the master does not answer."""
    listed = mailbox(master, "list", "--out=json")
    return json.loads(listed.out or "[]") if listed.code == 0 else None


def append(
    salt: Callable[..., Outcome],
    master: RunningMaster,
    file: str | pathlib.Path,
    word: str,
    *more: str,
    target: str = "m1",
) -> Outcome:
    """Order a command that appends a line each time it runs."""
    return salt(
        master, target, "cmd.run", f"echo {word} >> {file}", "--when-back", "1h", *more, as_json=False
    )


def lines(file: str | pathlib.Path) -> list[str]:
    """Return the lines that these commands have written."""
    return pathlib.Path(file).read_text().split() if pathlib.Path(file).exists() else []
