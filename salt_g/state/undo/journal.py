"""Journal of one state run, which records the state of paths and services before each change.

A line is passed to the kernel before its change happens, so that a run that is killed can be undone too.
There is no fsync, so a power failure can lose the last lines, as it can lose the changes.
Shapes: JSON lines in `journal`: {begin: {jid, fun, time}}, {before: path, entry, content or not_kept},
{after: path, entry}, {temporary: path}, {service: name, running, enabled}, {restart: name, how}, {other:
{fun, id, changes}}, {undone: jid}, {undoing: jid} (of an undo that begins), {due: {name: how}} (its
restarts). A service that was masked or unmasked also has `masked` or `runtime_masked`. `content` is base64;
the content of a large file is in `content/DIGEST` instead. `not_kept` is the reason why it is in neither: a
secret, a state with `no_log`, more than `undo_bytes`.
Concurrency: parallel chunks write from their own threads; each journal has one lock.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import stat
import threading
import time
from collections.abc import Iterable, Mapping
from typing import IO, Any

from salt_g.process.disk import PRIVATE_FILE, make_private_directory
from salt_g.process.secret_hiding import contains_secret, hide
from salt_g.safe_files.recording import recorded_by
from salt_g.shapes import LowChunk, StateReturn
from salt_g.shapes.undo import PathEntry
from salt_g.state.undo.entries import FILE, OTHER, entry_at, entry_of
from salt_g.state.undo.scope import Scope

log = logging.getLogger(__name__)

#: Reasons why the content of a file is not kept.
SECRET, NO_LOG, TOO_LARGE, NO_FILE = "secret", "no_log", "undo_bytes", "no file or directory"
#: Names of the files in a job's directory.
JOURNAL, CONTENT = "journal", "content"
#: State modules that change nothing but the recorded files and services.
_REVERSIBLE = frozenset(
    ("archive", "file", "host", "ini", "pkgrepo", "service", "ssh_auth", "ssh_known_hosts")
)
#: Arguments of `pkgrepo` for which programs change keyrings.
_KEYRINGS = frozenset(("keyid", "keyid_ppa", "key_text", "key_url", "ppa"))
#: State modules that change nothing on the machine.
_HARMLESS = frozenset(("test", "event"))
#: Maximum size of content stored in the journal itself (bytes); a separate file for each would cost more than
#: everything else.
INLINE = 4096
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
#: Requisites of states that react to changes, and the advice about such states after an undo.
_REACTIONS = ("onchanges", "onchanges_any", "watch", "watch_any")
RUN_AGAIN = "not run again; run it by hand if it uses restored files"
#: Maximum length of the description of other changes (characters).
_MOST_CHANGES = 200


class Journal:
    """Record of a run, whose directory is made at the first change; call `close` at the end of the run."""

    def __init__(self, root: str, about: Mapping[str, Any], *, max_bytes: int, scope: Scope) -> None:
        self._directory = os.path.join(root, str(about["jid"]))
        self._about = about
        self._left = max_bytes
        self._excluded = tuple(os.path.join(os.path.realpath(path), "") for path in scope.excluded)
        self._within = os.path.join(scope.within, "")
        self.scope = scope
        self._file: IO[str] | None = None
        self._known: set[str] = set()
        self._services: dict[str, dict[str, bool | None]] = {}
        #: All recorded paths of each file, {(device, inode): paths}; None until a file gets another hard
        #: link.
        self._names: dict[tuple[int, int], set[str]] | None = None
        self._names_elsewhere: dict[tuple[int, ...], set[str]] = {}
        self._lock = threading.RLock()

    @property
    def is_used(self) -> bool:
        """Whether anything was recorded."""
        return self._file is not None

    def chunk(self, low: LowChunk) -> ChunkRecord:
        """Return the recorder of one chunk."""
        return ChunkRecord(self, low)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()

    def take(self, parent: int, name: str, *, is_kept: bool) -> str:
        """Record an entry once; return its path, or '' if the path is outside the scope."""
        path = _path_of(parent, name)
        if not self._is_recorded(path):
            return ""
        with self._lock:
            if path not in self._known:
                self._known.add(path)
                self.write({"before": path, **self._entry(parent, name, is_kept=is_kept)})
        return path

    def temporary(self, parent: int, name: str) -> None:
        """Record a temporary file that is about to be created."""
        path = _path_of(parent, name)
        if self._is_recorded(path):
            self.write({"temporary": path})

    def take_elsewhere(self, paths: Iterable[str], *, tree: bool, follow: bool, is_kept: bool) -> list[str]:
        """Record each entry of the resource once; return the paths of all entries, with known hard links.

        Raise OSError if the resource cannot be read.
        """
        files = self.scope.elsewhere
        if files is None:
            return []
        limit = self._left if is_kept else -1
        found = files.found(paths, limit=limit, tree=tree, follow=follow)
        with self._lock:
            for path, entry in found.items():
                content = entry.pop("content", None)
                if path not in self._known:
                    self._known.add(path)
                    self.write({"before": path, **self._kept(entry, content, is_kept=is_kept)})
            names = [self._names_elsewhere.get(_inode(entry), ()) for entry in found.values()]
        return [*found, *(name for some in names for name in some)]

    def expect_names(self) -> None:
        """Record from now on which paths are hard links of the same file."""
        with self._lock:
            self._names = {} if self._names is None else self._names

    def names_of(self, parent: int, name: str) -> set[str]:
        """Return the known paths of the file at an entry (hard links, possibly the entry itself)."""
        if not self._names:
            return set()
        try:
            found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError:
            return set()
        with self._lock:
            return set(self._names.get((found.st_dev, found.st_ino), ()))

    def after(self, path: str) -> None:
        """Record the entry at a path after a chunk."""
        entry = entry_of(path)
        with self._lock:
            if self._names is not None and entry["kind"] == FILE:
                device, number = entry["inode"]
                self._names.setdefault((device, number), set()).add(path)
        self.write({"after": path, "entry": entry})

    def after_elsewhere(self, paths: Iterable[str]) -> None:
        """Record the entries at paths of the resource after a chunk; a failure is logged."""
        wanted = list(paths)
        if not wanted or self.scope.elsewhere is None:
            return
        try:
            found = self.scope.elsewhere.entries(wanted)
        except OSError as exc:
            log.error("cannot record the change of %s, so undo needs force=True: %s", ", ".join(wanted), exc)
            return
        with self._lock:
            for path, entry in found.items():
                if entry["kind"] == FILE:
                    self._names_elsewhere.setdefault(_inode(entry), set()).add(path)
                self.write({"after": path, "entry": entry})

    def service(self, name: str, **states: bool | None) -> None:
        """Record those states of a service (`is_running` and others) that are not recorded yet."""
        with self._lock:
            known = self._services.setdefault(name, {"running": None, "enabled": None})
            before = dict(known)
            for key, value in states.items():
                if value is not None and known.get(key.removeprefix("is_")) is None:
                    known[key.removeprefix("is_")] = value
            if known != before:
                self.write({"service": name, **known})

    def restart(self, name: str, how: str) -> None:
        """Record that a service is restarted or reloaded."""
        self.write({"restart": name, "how": how})

    def write(self, line: Mapping[str, Any]) -> None:
        """Write a line; create the file at the first one."""
        with self._lock:
            if self._file is None:
                self._file = self._created()
                self._file.write(json.dumps({"begin": {**self._about, "time": time.time()}}) + "\n")
            self._file.write(json.dumps(line) + "\n")

    def _created(self) -> IO[str]:
        make_private_directory(self._directory)
        descriptor = os.open(os.path.join(self._directory, JOURNAL), _APPEND, PRIVATE_FILE)
        # Line-buffered, so that each record is written before its change.
        return os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape", buffering=1)

    def _entry(self, parent: int, name: str, *, is_kept: bool) -> dict[str, Any]:
        """Return the entry with its content, or with the reason why the content is not kept."""
        if not is_kept or _size_of(parent, name) > self._left:
            return self._kept(entry_at(name, parent), None, is_kept=is_kept)
        parts: list[bytes] = []
        entry = entry_at(name, parent, take=parts.append)
        return self._kept(entry, b"".join(parts), is_kept=is_kept)

    def _kept(self, entry: PathEntry, content: bytes | None, *, is_kept: bool) -> dict[str, Any]:
        """Return an entry with its content, or with the reason why the content is not kept.

        `content` is None if it is too large or must not be kept.
        """
        if entry["kind"] != FILE:
            return {"entry": entry, **({"not_kept": NO_FILE} if entry["kind"] == OTHER else {})}
        if content is None or len(content) > self._left:
            return {"entry": entry, "not_kept": TOO_LARGE if is_kept else NO_LOG}
        if contains_secret(content):
            return {"entry": entry, "not_kept": SECRET}
        self._left -= len(content)
        if len(content) <= INLINE:
            return {"entry": entry, "content": base64.b64encode(content).decode()}
        self._keep(entry["sha256"], content)
        return {"entry": entry}

    def _is_recorded(self, path: str) -> bool:
        return path.startswith(self._within) and not f"{path}/".startswith(self._excluded)

    def _keep(self, digest: str, content: bytes) -> None:
        directory = os.path.join(self._directory, CONTENT)
        make_private_directory(directory)
        path = os.path.join(directory, digest)
        # Rewrite a file that a killed run has written only in part.
        if not os.path.exists(path) or os.path.getsize(path) != len(content):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE)
            with open(descriptor, "wb", buffering=0) as file:
                file.write(content)


class ChunkRecord:
    """Recorder of the changes of one chunk; implements `safe_files.recording.Recorder`."""

    def __init__(self, journal: Journal, low: LowChunk) -> None:
        self._journal = journal
        self._low = low
        self._paths: dict[str, None] = {}
        self._elsewhere: dict[str, None] = {}
        self._has_services = False
        self.recording = recorded_by(self)

    def entry(self, parent: int, name: str) -> None:
        """Record an entry; a failure is logged and the change proceeds."""
        try:
            path = self._journal.take(parent, name, is_kept=not self._low.get("no_log"))
        except OSError as exc:
            log.error("cannot record %s, so its change cannot be undone: %s", name, exc)
            return
        if path:
            # A change through one hard link changes the file under its other names, too.
            self._paths.update(dict.fromkeys((path, *self._journal.names_of(parent, name))))

    def linked(self, parent: int, name: str) -> None:
        """Record a file that gets another hard link."""
        self._journal.expect_names()
        self.entry(parent, name)

    def temporary(self, parent: int, name: str) -> None:
        """Record a temporary file; a failure is logged and the change proceeds."""
        try:
            self._journal.temporary(parent, name)
        except OSError as exc:
            log.error("cannot record the temporary file %s, which stays if the run is killed: %s", name, exc)

    def tree(self, parent: int, name: str) -> None:
        """Record an entry and everything below it."""
        self.entry(parent, name)
        try:
            is_directory = stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
        except OSError:
            return
        if is_directory:
            for _, folders, names, directory in os.fwalk(name, dir_fd=parent):
                for one in (*folders, *names):
                    self.entry(directory, one)

    def elsewhere(self, paths: Iterable[str], *, tree: bool, follow: bool) -> None:
        """Record entries of the resource; a failure is logged and the change proceeds."""
        given, is_kept = list(paths), not self._low.get("no_log")
        try:
            found = self._journal.take_elsewhere(given, tree=tree, follow=follow, is_kept=is_kept)
        except OSError as exc:
            log.error("cannot record %s, so its change cannot be undone: %s", ", ".join(given), exc)
            return
        self._elsewhere.update(dict.fromkeys(found))

    def service(self, name: str, **states: bool | None) -> None:
        """Record the states of a service."""
        self._has_services = True
        self._journal.service(name, **states)

    def restart(self, name: str, how: str) -> None:
        """Record a restart of a service."""
        self._has_services = True
        self._journal.restart(name, how)

    def end(self, ret: Any) -> None:
        """Record what is at the chunk's paths afterwards, and its changes that cannot be undone."""
        for path in self._paths:
            self._journal.after(path)
        self._journal.after_elsewhere(self._elsewhere)
        changes = ret.get("changes") if isinstance(ret, Mapping) else None
        is_recorded = bool(self._paths or self._elsewhere) or self._has_services
        if changes and self._low["state"] not in _HARMLESS and not (is_recorded and self._is_reversible()):
            self._journal.write({"other": self._other(ret)})

    def _is_reversible(self) -> bool:
        state = self._low["state"]
        return state in _REVERSIBLE and not (state == "pkgrepo" and _KEYRINGS & self._low.keys())

    def _other(self, ret: StateReturn) -> dict[str, str]:
        low = self._low
        shown = "" if low.get("no_log") else _command_of(low) or _described(hide(ret["changes"]))
        line = {"fun": f"{low['state']}.{low['fun']}", "id": hide(str(low["__id__"])), "changes": shown}
        problem = self._journal.scope.problem if low["state"] in _REVERSIBLE else ""
        reason = problem or (RUN_AGAIN if _reacts(low) else "")
        return {**line, "reason": reason} if reason else line


def _described(changes: Any) -> str:
    """Return version changes on one line (`nginx 1.22→1.24`), or '' for other changes."""
    text = ", ".join(
        f"{key} {value['old'] or 'none'}→{value['new'] or 'none'}"
        for key, value in changes.items()
        if isinstance(value, Mapping) and set(value) == {"old", "new"}
    )
    return text if len(text) <= _MOST_CHANGES else f"{text[: _MOST_CHANGES - 1]}…"


def _command_of(low: LowChunk) -> str:
    """Return the command of a `cmd` state on one line, or '' for other states and commands hidden in logs."""
    command = low["name"]
    if low["state"] != "cmd" or not isinstance(command, str):
        return ""
    if low.get("hide_output") or low.get("output_loglevel") == "quiet":
        return ""
    from salt_g.process.redaction import redacted  # Imported lazily: few runs have commands.

    text = redacted(hide(command))
    return text if len(text) <= _MOST_CHANGES else f"{text[: _MOST_CHANGES - 1]}…"


def _reacts(low: LowChunk) -> bool:
    """Return whether a state reacts to changes of other states."""
    return low["fun"] in ("mod_watch", "wait") or any(low.get(kind) for kind in _REACTIONS)


def _path_of(parent: int, name: str) -> str:
    """Return the path of an entry with all links resolved, except the entry itself."""
    directory = os.readlink(f"/proc/self/fd/{parent}")
    return os.path.normpath(os.path.join(directory, name))


def _inode(entry: PathEntry) -> tuple[int, ...]:
    return tuple(entry.get("inode", ()))


def _size_of(parent: int, name: str) -> int:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
