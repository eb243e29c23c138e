"""Recorded state runs on disk: listing, reading and pruning.

Shapes: a directory for each jid below `cachedir/undo` (for a resource below
`cachedir/undo-resources/TYPE%3AID`), 0700, with `journal` and the contents by digest.
Bounds: `MAX_JOBS` jobs, and `undo_bytes` for all contents together; the oldest jobs are removed first.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from salt_g.data.jid import is_job
from salt_g.shapes.undo import PathEntry
from salt_g.state.undo.journal import CONTENT, JOURNAL, Journal
from salt_g.state.undo.scope import Scope

#: Directories below the cache directory, for the runs of this machine and for those of its resources.
FOLDER, RESOURCES = "undo", "undo-resources"
MAX_JOBS = 20
RESTART = "restart"
#: Functions of `service` that make a running service reread its files, least disruptive first.
_RESTARTS = ("reload", "force_reload", RESTART, "full_restart")
#: Function that undoes runs; `last` never means one of its own runs.
UNDO = "state.undo"


class Before(NamedTuple):
    """Earlier state of a path, with the content of a small file.

    `not_kept` is the reason why the content is not known, '' if it is known.
    """

    entry: PathEntry
    not_kept: str
    content: bytes | None


class Recorded(NamedTuple):
    """One recorded run, with the entry of each path before its first change and after its last.

    `before` is in the order of the changes. `temporary` has the paths of temporary files, which did not exist
    before the run. `restarts` is {service: how} of the run, `due` has the restarts that an unfinished undo
    still has to make, `undos` the jids of all undos that have begun.
    """

    jid: str
    fun: str
    time: float
    before: dict[str, Before]
    after: dict[str, PathEntry]
    services: dict[str, dict[str, bool | None]]
    others: list[dict[str, str]]
    undone: str
    temporary: set[str]
    restarts: dict[str, str]
    due: dict[str, str]
    undos: set[str]


class UndoHistory:
    """Recorded runs below a cache directory: of this machine, or of a resource whose files are in `scope`."""

    def __init__(
        self,
        cachedir: str,
        max_bytes: int,
        *,
        resource: Mapping[str, Any] | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.scope = scope or Scope((cachedir,))
        self._root = os.path.join(cachedir, FOLDER)
        if resource:
            name = quote(f"{resource['type']}:{resource['id']}", safe="")
            self._root = os.path.join(cachedir, RESOURCES, name)
        self._max_bytes = max_bytes

    def journal(self, jid: str, fun: str) -> Journal:
        """Return a new journal for a run that begins."""
        return Journal(self._root, {"jid": jid, "fun": fun}, max_bytes=self._max_bytes, scope=self.scope)

    def jids(self) -> list[str]:
        """Return the recorded jobs, oldest first."""
        try:
            return sorted(name for name in os.listdir(self._root) if is_job(name))
        except FileNotFoundError:
            return []

    def last(self) -> str:
        """Return the jid of the newest job that can be undone, or ''."""
        for jid in reversed(self.jids()):
            recorded = self.read(jid)
            if recorded is not None and not recorded.undone and recorded.fun != UNDO:
                return jid
        return ""

    def read(self, jid: str) -> Recorded | None:
        """Return a recorded run, None if there is none."""
        recorded = Recorded(jid, "", 0.0, {}, {}, {}, [], "", set(), {}, {}, set())
        try:
            for line in self._lines(jid):
                recorded = _with(recorded, line)
        except FileNotFoundError:
            return None
        return recorded

    def content(self, jid: str, before: Before) -> bytes | None:
        """Return the content of a file before a job, None if it is missing or damaged."""
        content, digest = before.content, before.entry["sha256"]
        if content is None:
            try:
                with open(os.path.join(self._root, jid, CONTENT, digest), "rb") as file:
                    content = file.read()
            except FileNotFoundError:
                return None
        return content if hashlib.sha256(content).hexdigest() == digest else None

    def mark_undone(self, jid: str, by: str) -> None:
        """Record that a job has been undone by another job."""
        self._note(jid, {"undone": by})

    def mark_begun(self, jid: str, by: str) -> None:
        """Record that another job has begun to undo a job."""
        self._note(jid, {"undoing": by})

    def mark_due(self, jid: str, restarts: Mapping[str, str]) -> None:
        """Record the services {name: how} to restart because files of a job are restored."""
        self._note(jid, {"due": restarts})

    def prune(self) -> None:
        """Remove the oldest runs beyond the bounds, but never the newest run."""
        jids = self.jids()
        sizes = {jid: self._size(jid) for jid in jids}
        while len(jids) > 1 and (len(jids) > MAX_JOBS or sum(sizes.values()) > self._max_bytes):
            jid = jids.pop(0)
            del sizes[jid]
            shutil.rmtree(os.path.join(self._root, jid), ignore_errors=True)

    def _note(self, jid: str, line: Mapping[str, Any]) -> None:
        # Start with a newline, because a killed run may have left an incomplete last line.
        with open(os.path.join(self._root, jid, JOURNAL), "a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(line)}\n")

    def _size(self, jid: str) -> int:
        total = 0
        for place in (os.path.join(self._root, jid), os.path.join(self._root, jid, CONTENT)):
            if os.path.isdir(place):
                total += sum(entry.stat().st_size for entry in os.scandir(place) if entry.is_file())
        return total

    def _lines(self, jid: str) -> Iterator[dict[str, Any]]:
        path = os.path.join(self._root, jid, JOURNAL)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for text in file:
                try:
                    line = json.loads(text)
                except ValueError:
                    continue  # The last line of a run that was killed.
                if isinstance(line, dict):
                    yield line


def strongest(*ways: str) -> str:
    """Return the strongest of these ways to restart a service, which includes the others, or '' if none."""
    return max(ways, key=lambda way: _RESTARTS.index(way) if way in _RESTARTS else -1)


def _with(recorded: Recorded, line: dict[str, Any]) -> Recorded:
    if "begin" in line:
        return recorded._replace(fun=str(line["begin"]["fun"]), time=float(line["begin"]["time"]))
    if "before" in line:
        kept = line.get("content")
        content = None if kept is None else base64.b64decode(kept)
        before = Before(line["entry"], str(line.get("not_kept", "")), content)
        recorded.before.setdefault(line["before"], before)
    elif "after" in line:
        recorded.after[line["after"]] = line["entry"]
    elif "temporary" in line:
        recorded.temporary.add(line["temporary"])
    elif "service" in line:
        recorded.services[line["service"]] = {key: value for key, value in line.items() if key != "service"}
    elif "restart" in line:
        name, how = str(line["restart"]), str(line["how"])
        recorded.restarts[name] = strongest(how, recorded.restarts.get(name, ""))
    elif "due" in line:
        return recorded._replace(due=dict(line["due"]))
    elif "undoing" in line:
        recorded.undos.add(str(line["undoing"]))
    elif "other" in line:
        recorded.others.append(line["other"])
    elif "undone" in line:
        return recorded._replace(undone=str(line["undone"]))
    return recorded
