"""Comments and changes of a git state, which may end after each of its steps."""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome


class StateEnded(Exception):
    """Early end of the state, with its state return."""

    def __init__(self, ret: StateReturn) -> None:
        self.ret = ret
        super().__init__(ret["comment"])


class Report:
    """Comments and changes so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.comments: list[str] = []
        self.changes: dict[str, Any] = {}
        self.warnings: list[str] = []

    def end(self, result: bool | None, comment: str) -> StateEnded:
        """Return the exception that ends the state with this return."""
        extra = {"warnings": self.warnings} if self.warnings else {}
        return StateEnded(outcome(self.name, result, comment, self.changes, **extra))

    def failed(self, problem: str) -> StateEnded:
        """Return the exception for a failure, with earlier actions in its comment."""
        done = f"\n\nChanges already made: {sentences(self.comments)}" if self.comments else ""
        return self.end(False, problem + done)

    def as_wanted(
        self, target: str, *, local_changes: bool = False, actions: list[str] | None = None
    ) -> StateEnded:
        """Return the exception for a checkout at the wanted revision."""
        comment = f"Repository {target} is up-to-date"
        if local_changes:
            comment += (
                ", but with uncommitted changes. Set 'force_reset' to True to purge uncommitted changes."
            )
        return self.end(True, comment + self._made(actions))

    def already_cloned(self, target: str, branch: str | None) -> StateEnded:
        """Return the exception for an existing clone on the wanted branch."""
        on_branch = f" and is checked out to branch '{branch}'" if branch else ""
        return self.end(True, f"Repository already exists at {target}{on_branch}{self._made(None)}")

    def done(self) -> StateEnded:
        """Return the exception for success with changes."""
        return self.end(True, sentences(self.comments))

    def _made(self, actions: list[str] | None) -> str:
        comments = self.comments if actions is None else actions
        would = "that would be " if opts["test"] else ""
        return f"\n\nChanges {would}made: {sentences(comments)}" if comments else ""


def sentences(comments: list[str]) -> str:
    """Return comments joined into one text."""
    return ". ".join(comments) + ("." if len(comments) > 1 else "")


def reason(exc: CommandExecutionError) -> str:
    """Return the error output of git, without the command."""
    return re.sub(r"^Command ['\"].+['\"] failed: ", "", str(exc))


def short(sha1: str | None) -> str | None:
    """Return an abbreviated SHA1, or None for None."""
    return sha1[:7] if sha1 is not None else None
