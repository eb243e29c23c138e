"""What a git state did so far, and how it ends.

Why its own file: a state of many steps may end after each of them, and has to tell then what
was already done.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome


class StateEnded(Exception):
    """The state ends here, with this return."""

    def __init__(self, told: StateReturn) -> None:
        self.told = told
        super().__init__(told["comment"])


class Report:
    """Comments and changes so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.comments: list[str] = []
        self.changes: dict[str, Any] = {}
        self.warnings: list[str] = []

    def end(self, result: bool | None, comment: str) -> StateEnded:
        """Return what to raise to end with this."""
        extra = {"warnings": self.warnings} if self.warnings else {}
        return StateEnded(outcome(self.name, result, comment, self.changes, **extra))

    def failed(self, problem: str) -> StateEnded:
        """Return what to raise when something failed; what was done before is told behind it."""
        done = f"\n\nChanges already made: {sentences(self.comments)}" if self.comments else ""
        return self.end(False, problem + done)

    def as_wanted(
        self, target: str, *, local_changes: bool = False, actions: list[str] | None = None
    ) -> StateEnded:
        """Return what to raise when the checkout is at the wanted revision."""
        comment = f"Repository {target} is up-to-date"
        if local_changes:
            comment += (
                ", but with uncommitted changes. Set 'force_reset' to True to purge uncommitted changes."
            )
        return self.end(True, comment + self._made(actions))

    def already_cloned(self, target: str, branch: str | None) -> StateEnded:
        """Return what to raise when there is a clone, on the wanted branch."""
        on_branch = f" and is checked out to branch '{branch}'" if branch else ""
        return self.end(True, f"Repository already exists at {target}{on_branch}{self._made(None)}")

    def done(self) -> StateEnded:
        """Return what to raise when all went well and something was done."""
        return self.end(True, sentences(self.comments))

    def _made(self, actions: list[str] | None) -> str:
        told = self.comments if actions is None else actions
        would = "that would be " if opts["test"] else ""
        return f"\n\nChanges {would}made: {sentences(told)}" if told else ""


def sentences(comments: list[str]) -> str:
    """Return comments as one text."""
    return ". ".join(comments) + ("." if len(comments) > 1 else "")


def reason(exc: CommandExecutionError) -> str:
    """Return what git said, without the command."""
    return re.sub(r"^Command ['\"].+['\"] failed: ", "", str(exc))


def short(sha1: str | None) -> str | None:
    """Return the beginning of a SHA1, None for none."""
    return sha1[:7] if sha1 is not None else None
