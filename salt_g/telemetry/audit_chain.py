"""Audit chain: lines of JSON, each with the hash of the previous line, in files of limited size.

Shapes: a line is {n, time, prev, ...}; `n` counts from 1, `prev` is the SHA-256 of the previous line without
its newline, or 64 zeros in the first line. `FILE` is the current file, `FILE.1` the one before, up to
`FILE.<files - 1>`; the chain continues from file to file. `lost` is the number of decisions that could not be
written before the line.
Units: bytes; times in UTC.
Errors: OSError for unreadable files; `verify` returns breaks of the chain.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.safe_files.entries import open_file

log = logging.getLogger(__name__)

#: Value of `prev` in the first line.
START = "0" * 64
#: Maximum length of a value, in characters and in bytes of JSON; a longer value is truncated.
MAX_VALUE, MAX_BYTES = 2000, 8000
#: Fields that the chain sets itself.
_OWN = ("n", "time", "prev", "lost")
#: Number of bytes at the end of a file that contain its last line, which has at most a dozen fields.
_TAIL = 256 * 1024
_MODE = 0o600
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT


class AuditChain:
    """Writer of one chain. Lifecycle: `claim` or `write` opens the file; a restart continues the chain.

    The open file is locked, because lines of two writers would break the chain.
    """

    def __init__(self, path: str, *, max_bytes: int, files: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._files = max(2, files)
        self._file = -1
        self._size = 0
        self._number, self._prev = 0, START
        self._lost = 0

    def claim(self) -> None:
        """Open and lock the file; raise ConfigError if that fails or another process has locked it.

        A full disk does not prevent the start; the decisions that cannot be written are counted, as in
        `write`.
        """
        try:
            self._open()
        except BlockingIOError as exc:
            raise ConfigError(
                [f"audit_log: {self._path}: {exc.strerror}; give each master its own file"]
            ) from exc
        except OSError as exc:
            if exc.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise ConfigError([_not_opened(self._path, exc.strerror or str(exc))]) from exc
            log.error("%s: the audit log cannot be opened: %s", self._path, exc)
            self.close()

    def write(self, decision: Mapping[str, Any]) -> None:
        """Write a decision; if that fails, log the error and count the decision in the next line."""
        try:
            if self._file >= 0 and not self._is_in_place():
                self.close()
            if self._file < 0:
                self._open()
            line = self._line(decision)
            if self._size and self._size + len(line) > self._max_bytes:
                self._rotate()
            written = os.write(self._file, line)
            if written != len(line):
                os.ftruncate(self._file, self._size)
                raise OSError(f"{written} of {len(line)} bytes were written")
        except OSError as exc:
            self._lost += 1
            log.error("%s: a decision cannot be written: %s", self._path, exc)
            self.close()
            return
        self._size += len(line)
        self._number, self._prev = self._number + 1, _hash(line[:-1])
        self._lost = 0

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _is_in_place(self) -> bool:
        """Return whether the path still leads to the open file; lines in a removed file are lost."""
        try:
            found = os.stat(self._path, follow_symlinks=False)
        except FileNotFoundError:
            return False
        own = os.fstat(self._file)
        return (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino)

    def _line(self, decision: Mapping[str, Any]) -> bytes:
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        lost = {"lost": self._lost} if self._lost else {}
        head = {"n": self._number + 1, "time": now.replace("+00:00", "Z"), "prev": self._prev}
        shown = {name: _bounded(value) for name, value in decision.items() if name not in _OWN}
        return json.dumps({**head, **lost, **shown}, default=str).encode() + b"\n"

    def _open(self) -> None:
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        self._file = self._open_own()
        self._size = os.fstat(self._file).st_size
        last = _last_line(self._file, self._size)
        if last is None and os.path.exists(f"{self._path}.1"):
            with open(f"{self._path}.1", "rb") as before:
                last = _last_line(before.fileno(), os.fstat(before.fileno()).st_size)
        # After writing, trust the number and hash in memory, because the file may have been replaced.
        if last is not None and not self._number:
            self._number, self._prev = _number_of(last), _hash(last)
        if self._size and os.pread(self._file, 1, self._size - 1) != b"\n":
            # Keep a truncated line, and end it with a newline, so that it is reported as a break of its own.
            self._size += os.write(self._file, b"\n")

    def _rotate(self) -> None:
        self.close()
        for number in range(self._files - 2, -1, -1):
            before = f"{self._path}.{number}" if number else self._path
            with contextlib.suppress(FileNotFoundError):
                os.replace(before, f"{self._path}.{number + 1}")
        self._file = self._open_own()
        self._size = 0

    def _open_own(self) -> int:
        """Open and lock the file; raise BlockingIOError if another process has it."""
        file = open_file(self._path, _FLAGS, _MODE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise BlockingIOError(errno.EWOULDBLOCK, "another process writes to it") from None
        except OSError as exc:
            log.debug("%s: this file system has no locks: %s", self._path, exc)
        return file


def check_path(path: str) -> None:
    """Raise ConfigError for a path that cannot be opened as an audit log; create nothing."""
    if os.path.isdir(path):
        raise ConfigError([_not_opened(path, os.strerror(errno.EISDIR))])
    directory = os.path.dirname(path)
    while directory and not os.path.lexists(directory) and directory != os.path.dirname(directory):
        directory = os.path.dirname(directory)
    if directory and not os.path.isdir(directory):
        raise ConfigError([_not_opened(path, f"{directory} is not a directory")])


def _not_opened(path: str, why: str) -> str:
    return f"audit_log: {path}: cannot be opened, so decisions would not be recorded: {why}"


class ChainVerdict(NamedTuple):
    """Result of a verification; `cuts` has a sentence for each break, `newest` is "<n>:<hash>"."""

    files: int
    lines: int
    first: int
    newest: str
    cuts: list[str]
    has_head: bool


def verify(path: str, *, files: int, head: str = "") -> ChainVerdict:
    """Verify a chain from its oldest file to its newest; raise OSError if one cannot be read.

    `head` is the `newest` of an earlier verification, which the chain must contain.
    """
    paths = [name for number in range(files, 0, -1) if os.path.exists(name := f"{path}.{number}")]
    paths += [path] if os.path.exists(path) else []
    # The oldest file is removed only when the one before it is renamed over it, even if a rotation was
    # interrupted. So while the last name is free, no file has been removed.
    state = _State(is_whole=not os.path.exists(f"{path}.{files - 1}"))
    for name in paths:
        with open(name, "rb") as file:
            for number, line in enumerate(file, 1):
                state.take(f"{name}:{number}", line, head)
    newest = f"{state.number}:{state.prev}"
    if head and not state.has_head and not state.cuts:
        state.cuts.append(_without_head(head, state.first))
    return ChainVerdict(len(paths), state.lines, state.first, newest, state.cuts, state.has_head)


def _without_head(head: str, first: int) -> str:
    """Return the sentence about a head that is not in a chain whose oldest line is `first`."""
    number = head.partition(":")[0]
    if number.isdigit() and 0 < int(number) < first:
        return (
            f"line {number} of the earlier verification is in a file that was removed (the oldest line is "
            f"{first}): verify more often, or raise audit_log_files"
        )
    return f"line {number} of the earlier verification is not in the chain"


def _number(value: Any) -> int:
    """Return the number of a line; raise ValueError if the value cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{value!r} is not a line number")
    return value


class _State:
    """State of a verification; `is_whole` says that rotation has not removed a file yet."""

    def __init__(self, *, is_whole: bool) -> None:
        self._is_whole = is_whole
        self.lines = self.number = self.first = 0
        self.prev = START
        self.cuts: list[str] = []
        self.has_head = False
        #: End of the chain before lines that do not continue it, and the breaks at these lines: {index in
        #: `cuts`: place}.
        self._sound = (0, START)
        self._doubtful: dict[int, str] = {}

    def take(self, place: str, line: bytes, head: str) -> None:
        """Verify the next line."""
        self.lines += 1
        body = line.rstrip(b"\n")
        try:
            found = json.loads(body)
            number, prev = _number(found["n"]), str(found["prev"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            self._doubt(place, "not a complete line of the chain")
            self.number, self.prev = self.number + 1, _hash(body)
            return
        if (self.lines == 1 and number == 1) or not (self.first or self._is_whole):
            self.first, self.number, self.prev = number, number - 1, prev if number > 1 else START
            # `head` may be the last line of a file that rotation has removed.
            self.has_head = head == f"{self.number}:{self.prev}"
        self.first = self.first or number
        self._judge(place, number, prev)
        if found.get("lost"):
            self.cuts.append(f"{place}: {found['lost']} decisions before it could not be written")
        self.number, self.prev = number, _hash(body)
        self.has_head = self.has_head or head == f"{number}:{self.prev}"

    def _judge(self, place: str, number: int, prev: str) -> None:
        problem = self._problem(number, prev)
        if problem and self._doubtful and (number - 1, prev) == self._sound:
            # This line continues the chain as if the lines since then did not exist, so they were inserted.
            for index, doubtful in self._doubtful.items():
                self.cuts[index] = f"{doubtful}: a line that does not belong to the chain was inserted"
            problem = ""
        if problem:
            self._doubt(place, problem)
        else:
            self._doubtful.clear()

    def _problem(self, number: int, prev: str) -> str:
        """Return why a line cannot follow the previous line, or '' if it can."""
        if number > self.number + 1:
            missing = f"{self.number + 1} to {number - 1}" if number > self.number + 2 else f"{number - 1}"
            return f"line {missing} of the chain is missing"
        if number <= self.number:
            return f"line {number} follows line {self.number}"
        return "" if prev == self.prev else f"line {number - 1} before it was changed, or this one was"

    def _doubt(self, place: str, problem: str) -> None:
        """Add a break at a line that can turn out to be an inserted one."""
        if not self._doubtful:
            self._sound = (self.number, self.prev)
        self._doubtful[len(self.cuts)] = place
        self.cuts.append(f"{place}: {problem}")


def _bounded(value: Any) -> Any:
    """Return a value with limited length, because refused peers choose parts of the line."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if not isinstance(value, str):
        text = _as_text(value)
        if len(text) <= MAX_VALUE:
            return value if text[:1] in "[{" else text
        value = text
    shown = value[:MAX_VALUE]
    while len(json.dumps(shown)) > MAX_BYTES:
        shown = shown[: len(shown) // 2]
    return value if shown == value else f"{shown}… ({len(value)} characters)"


def _as_text(value: Any) -> str:
    """Return nested data as JSON text, or its `repr` where JSON cannot represent keys, such as bytes."""
    try:
        return json.dumps(value, default=str)
    except (TypeError, ValueError, RecursionError):
        return f"not JSON: {value!r}"


def _hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _number_of(line: bytes) -> int:
    """Return the number of a line, also of an incomplete one; 0 if it cannot be read."""
    try:
        return int(json.loads(line)["n"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        number = line.partition(b'"n": ')[2].partition(b",")[0]
        return int(number) if number.isdigit() else 0


def _last_line(file: int, size: int) -> bytes | None:
    """Return the last line of a file without its newline, or None if the file has no lines."""
    lines = list(_tail(file, size))
    return lines[-1] if lines else None


def _tail(file: int, size: int) -> Iterator[bytes]:
    start = max(0, size - _TAIL)
    for line in os.pread(file, size - start, start).split(b"\n"):
        if line:
            yield line
