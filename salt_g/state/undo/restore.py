"""Restoration of a recorded run: comparison with the current files, and reversal.

Entries that the run created are removed first, from the bottom up; then missing directories, files and links
are created, from the top down; then owners and modes are restored, from the bottom up, because a restored
directory can forbid access.
Errors: `revert` raises none for a single path, but returns the paths that could not be restored.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from salt_g.shapes.undo import PathEntry
from salt_g.state.undo.entries import DIRECTORY, FILE, LINK, MISSING, OTHER, is_same
from salt_g.state.undo.history import Recorded, UndoHistory
from salt_g.state.undo.machine_files import MachineFiles, OwnFiles

#: Reasons why a path is left unchanged.
EDITED = "edited since"
CUT = "the job ended while it changed this"
NOT_KEPT = "its old content is not kept"
NOT_EMPTY = "not empty"
#: Words for what was done to a service, by the function used.
_RESTARTED = {
    "reload": "reloaded",
    "force_reload": "forcefully reloaded",
    "restart": "restarted",
    "full_restart": "fully restarted",
}
#: Maximum number of paths, services and states named in the summary.
_SHOWN = 3


class RestorePlan(NamedTuple):
    """Planned restoration: paths to restore, {path: why it is left}, recorded services and other changes."""

    paths: list[str]
    left: dict[str, str]
    services: dict[str, dict[str, bool | None]]
    others: list[dict[str, str]]


class Unfinished(NamedTuple):
    """Remains of killed undos of the same run: paths that they changed, and their temporary files.

    `content` returns the content of a file before the run, None if it is not known.
    """

    paths: frozenset[str]
    temporary: frozenset[str]
    content: Callable[[str], bytes | None]


def unfinished(history: UndoHistory, recorded: Recorded) -> Unfinished:
    """Return the remains of earlier undos of a run."""
    undos = [found for jid in sorted(recorded.undos - {recorded.jid}) if (found := history.read(jid))]

    def content(path: str) -> bytes | None:
        return history.content(recorded.jid, recorded.before[path])

    paths = frozenset(path for one in undos for path in one.before)
    return Unfinished(paths, frozenset(path for one in undos for path in one.temporary), content)


_NONE_UNFINISHED = Unfinished(frozenset(), frozenset(), lambda path: None)


def plan_of(
    recorded: Recorded,
    *,
    files: MachineFiles | None = None,
    force: bool = False,
    begun: Unfinished = _NONE_UNFINISHED,
) -> RestorePlan:
    """Compare a recorded run with the current files; return what to restore.

    Paths that were edited since are left, except with `force` or if an undo was changing them when it was
    killed. Paths whose old content is needed but not kept are always left. Raise OSError if a resource cannot
    be reached.
    """
    paths, left = [], {}
    temporary = recorded.temporary | begun.temporary
    found = (files or OwnFiles()).entries([*recorded.before, *temporary])
    for path, (before, not_kept, _) in recorded.before.items():
        now = found[path]
        if is_same(now, before):
            continue
        needs_content = before["kind"] == FILE and now.get("sha256") != before["sha256"]
        after = recorded.after.get(path)
        if not_kept and (needs_content or before["kind"] == OTHER):
            left[path] = f"{NOT_KEPT} ({not_kept})"
        elif force or _is_on_its_way(path, now, before, begun):
            paths.append(path)
        elif after is None:
            left[path] = CUT
        elif not is_same(now, after):
            left[path] = EDITED
        else:
            paths.append(path)
    paths += sorted(path for path in temporary if found[path]["kind"] == FILE)
    return RestorePlan(paths, left, recorded.services, recorded.others)


def _is_on_its_way(path: str, now: PathEntry, before: PathEntry, begun: Unfinished) -> bool:
    """Return whether a killed undo may have left a path in this state: removed, or partly restored."""
    if path not in begun.paths:
        return False
    if now["kind"] in (MISSING, DIRECTORY) or now["kind"] != before["kind"]:
        return now["kind"] in (MISSING, before["kind"])
    if now.get("sha256") == before.get("sha256") and now.get("target") == before.get("target"):
        return True
    # A file that was being written in place holds the beginning of the wanted content.
    content = begun.content(path) if now["kind"] == FILE and now["size"] < before["size"] else None
    return content is not None and hashlib.sha256(content[: now["size"]]).hexdigest() == now["sha256"]


def revert(
    history: UndoHistory, recorded: Recorded, plan: RestorePlan, files: MachineFiles | None = None
) -> dict[str, str]:
    """Restore the paths of a plan; return {path: reason} for those that could not be restored."""
    work = _Restoring(history, recorded, files or OwnFiles())
    for path in sorted(plan.paths, key=_depth, reverse=True):
        work.attempt(path, work.remove)
    for path in sorted(plan.paths, key=_depth):
        work.attempt(path, work.create)
    for path in sorted(plan.paths, key=_depth, reverse=True):
        work.attempt(path, work.give)
    return work.left


class _Restoring:
    """Restoration of single paths; `left` has the paths that failed, which later steps skip."""

    def __init__(self, history: UndoHistory, recorded: Recorded, files: MachineFiles) -> None:
        self._files = files
        self._history = history
        self._recorded = recorded
        self.left: dict[str, str] = {}

    def attempt(self, path: str, act: Callable[[str, PathEntry, PathEntry], None]) -> None:
        if path in self.left:
            return
        now: PathEntry = {"kind": MISSING}
        try:
            before = self._recorded.before.get(path)
            # A temporary file left by a killed run has no earlier entry, because nothing was there before.
            now = self._files.entries([path])[path]
            act(path, before.entry if before else {"kind": MISSING}, now)
        except OSError as exc:
            is_full = exc.errno in (errno.ENOTEMPTY, errno.EEXIST) and now["kind"] == DIRECTORY
            self.left[path] = NOT_EMPTY if is_full else str(exc.strerror or exc)

    def remove(self, path: str, before: PathEntry, now: PathEntry) -> None:
        """Remove an entry that did not exist before the run, or was of another kind."""
        if now["kind"] not in (MISSING, before["kind"]):
            self._files.remove(path, now)

    def create(self, path: str, before: PathEntry, now: PathEntry) -> None:
        """Create a missing entry, or restore a changed one, with its content."""
        if before["kind"] == DIRECTORY and now["kind"] == MISSING:
            self._files.make_directory(path)
        elif before["kind"] == LINK and now.get("target") != before["target"]:
            self._files.make_link(path, before["target"], replaces=now["kind"] == LINK)
        elif before["kind"] == FILE and now.get("sha256") != before["sha256"]:
            self._write(path, before, now)
        elif before["kind"] == FILE and now["inode"] != before["inode"]:
            self._files.detach(path)

    def _write(self, path: str, before: PathEntry, now: PathEntry) -> None:
        content = self._history.content(self._recorded.jid, self._recorded.before[path])
        if content is None:
            raise OSError(0, "its old content is missing or damaged in the store")
        # The job wrote the file in place, too, so its hard links still refer to the same file.
        is_in_place = now["kind"] == FILE and now["inode"] == before["inode"]
        self._files.write(path, content, is_in_place=is_in_place)

    def give(self, path: str, before: PathEntry, now: PathEntry) -> None:
        """Restore owner, mode and modification time."""
        if before["kind"] != MISSING:
            self._files.give(path, before, now)


def summary(
    plan: RestorePlan,
    restored: int,
    left: Mapping[str, str],
    services: Iterable[str],
    restarted: Mapping[str, str],
    *,
    test: bool,
) -> str:
    """Return the result in a sentence."""
    would = "would go " if test else ""
    parts = [f"{restored} {'path' if restored == 1 else 'paths'} {would}back"]
    names = list(services)
    if names:
        parts.append(f"{len(names)} {'service' if len(names) == 1 else 'services'} {would}back")
    if restarted:
        be = "would be " if test else ""
        done = [f"{name} {be}{_RESTARTED.get(how, how)}" for name, how in restarted.items()]
        parts.append(_first(done, ", "))
    if left:
        shown = _first([f"{path} ({why})" for path, why in left.items()], ", ")
        parts.append(f"{len(left)} left: {shown}")
    if plan.others:
        parts.append(f"not reversible: {_first([_described(one) for one in plan.others], '; ')}")
    return ", ".join(parts)


def _first(texts: list[str], between: str) -> str:
    """Join the first texts, with an ellipsis if there are more."""
    return between.join([*texts[:_SHOWN], *(["…"] if len(texts) > _SHOWN else [])])


def _described(other: dict[str, str]) -> str:
    reason = f" ({other['reason']})" if other.get("reason") else ""
    return f"{other['fun']} {other['changes'] or other['id']}{reason}"


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
