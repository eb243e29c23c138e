"""The way back: a recorded run compared with what there is now, and reverted.

Entries that came to be are removed, the deepest first; then directories, files and links that were there come
back, the highest first; then owners and modes, the deepest first, because a directory may forbid to enter it.
Errors: none leave `revert` for a single path; what could not be done is listed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from typing import NamedTuple

from salt_g import safe_files
from salt_g.process.disk import replacing
from salt_g.state.undo.entries import DIRECTORY, FILE, LINK, MISSING, OTHER, Entry, entry_of, is_same
from salt_g.state.undo.history import History, Recorded

#: Why a path is left.
EDITED = "edited since"
CUT = "the job ended while it changed this"
NOT_KEPT = "its old content is not kept"
NOT_EMPTY = "not empty"


class Plan(NamedTuple):
    """What would be done: paths to restore, {path: why it is left}, services {name: {running, enabled}}."""

    paths: list[str]
    left: dict[str, str]
    services: dict[str, dict[str, bool | None]]
    others: list[dict[str, str]]


def plan_of(recorded: Recorded, *, force: bool = False) -> Plan:
    """Compare a recorded run with what there is now; with `force` edited paths are restored too."""
    paths, left = [], {}
    for path, (before, not_kept, _) in recorded.before.items():
        now = entry_of(path)
        if is_same(now, before):
            continue
        needs_content = before["kind"] == FILE and now.get("sha256") != before["sha256"]
        after = recorded.after.get(path)
        if not_kept and (needs_content or before["kind"] == OTHER):
            left[path] = f"{NOT_KEPT} ({not_kept})"
        elif not force and after is None:
            left[path] = CUT
        elif not force and after is not None and not is_same(now, after):
            left[path] = EDITED
        else:
            paths.append(path)
    paths += sorted(path for path in recorded.temporary if entry_of(path)["kind"] == FILE)
    return Plan(paths, left, recorded.services, recorded.others)


def revert(history: History, recorded: Recorded, plan: Plan) -> dict[str, str]:
    """Restore the paths of a plan; return {path: why it is left} of those that could not be restored."""
    work = _Restoring(history, recorded)
    for path in sorted(plan.paths, key=_depth, reverse=True):
        work.attempt(path, work.remove)
    for path in sorted(plan.paths, key=_depth):
        work.attempt(path, work.create)
    for path in sorted(plan.paths, key=_depth, reverse=True):
        work.attempt(path, work.give)
    return work.left


class _Restoring:
    """Restoring of single paths; `left` has those that failed, which later steps leave alone."""

    def __init__(self, history: History, recorded: Recorded) -> None:
        self._history = history
        self._recorded = recorded
        self.left: dict[str, str] = {}

    def attempt(self, path: str, act: Callable[[str, Entry, Entry], None]) -> None:
        if path in self.left:
            return
        try:
            before = self._recorded.before.get(path)
            # A temporary file that a killed run has left has no record of what there was: nothing.
            act(path, before.entry if before else {"kind": MISSING}, entry_of(path))
        except OSError as exc:
            self.left[path] = NOT_EMPTY if _is_not_empty(path, exc) else str(exc.strerror or exc)

    def remove(self, path: str, before: Entry, now: Entry) -> None:
        """Remove what was not there, or was something else."""
        if now["kind"] in (MISSING, before["kind"]):
            return
        if now["kind"] == DIRECTORY:
            safe_files.remove_directory(path)
        else:
            safe_files.remove_file(path)

    def create(self, path: str, before: Entry, now: Entry) -> None:
        """Create what is missing, with its content."""
        if before["kind"] == DIRECTORY and now["kind"] == MISSING:
            safe_files.make_directory(path, 0o700)
        elif before["kind"] == LINK and now.get("target") != before["target"]:
            if now["kind"] == LINK:
                safe_files.remove_file(path)
            safe_files.symlink(before["target"], path)
        elif before["kind"] == FILE and now.get("sha256") != before["sha256"]:
            self._write(path, before, now)
        elif before["kind"] == FILE and now["inode"] != before["inode"]:
            self._detach(path)

    def _detach(self, path: str) -> None:
        """Make a file of its own of a hard link: owner and mode would change for its other names, too."""
        with open(path, "rb", opener=safe_files.opener) as there:
            if os.fstat(there.fileno()).st_nlink > 1:
                with replacing(path, new_mode=0o600) as file:
                    shutil.copyfileobj(there, file)

    def _write(self, path: str, before: Entry, now: Entry) -> None:
        content = self._history.content(self._recorded.jid, self._recorded.before[path])
        if content is None:
            raise OSError(0, "its old content is missing or damaged in the store")
        if now["kind"] == FILE and now["inode"] == before["inode"]:
            # Written in place by the job too: its hard links are still the same file.
            with open(path, "wb", opener=safe_files.opener) as file:
                file.write(content)
            return
        with replacing(path, new_mode=0o600) as file:
            file.write(content)

    def give(self, path: str, before: Entry, now: Entry) -> None:
        """Restore owner and mode; a new owner takes special bits away, so the mode comes last."""
        if before["kind"] == MISSING:
            return
        if (now["uid"], now["gid"]) != (before["uid"], before["gid"]):
            safe_files.change_owner(path, before["uid"], before["gid"], follow=False)
            now = entry_of(path)
        if before["kind"] != LINK and now["mode"] != before["mode"]:
            safe_files.change_mode(path, before["mode"])
        if before["kind"] == FILE:
            seconds = before["mtime"] / 1e9
            safe_files.change_times(path, (seconds, seconds))


def summary(plan: Plan, restored: int, left: dict[str, str], services: Iterable[str], *, test: bool) -> str:
    """Return the result in a sentence."""
    would = "would go " if test else ""
    parts = [f"{restored} {'path' if restored == 1 else 'paths'} {would}back"]
    names = list(services)
    if names:
        parts.append(f"{len(names)} {'service' if len(names) == 1 else 'services'} {would}back")
    if left:
        shown = ", ".join(f"{path} ({why})" for path, why in list(left.items())[:3])
        parts.append(f"{len(left)} left: {shown}{', …' if len(left) > 3 else ''}")
    if plan.others:
        described = [f"{one['fun']} {one['changes'] or one['id']}" for one in plan.others[:3]]
        parts.append(f"not reversible: {'; '.join(described)}{'; …' if len(plan.others) > 3 else ''}")
    return ", ".join(parts)


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _is_not_empty(path: str, exc: OSError) -> bool:
    import errno

    return exc.errno in (errno.ENOTEMPTY, errno.EEXIST) and os.path.isdir(path)
