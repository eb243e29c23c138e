"""Files with the known runs, for the next process of a daemon or of a masterless call.

Shapes: a file begins with the digest of the rest (32 characters), which is msgpack of the fields of
`KnownRun`, with `about` (program and settings of the run) and the time of the observation. Files hold names
and digests but no values; the directory is private. The newest 16 are kept. There is no fsync, which would
take longer than all other work of recording a run. A file truncated by a power failure does not match its
digest and is ignored.
Units: bytes; seconds, and seconds since the epoch in files.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgpack

from salt_g.process.disk import make_private_directory, write_new_or_replace
from salt_g.report.recording.known_rendering import RenderingReads
from salt_g.report.recording.known_runs import MOST, KnownRun
from salt_g.report.recording.run_data import content_digest, digest_of

log = logging.getLogger(__name__)

#: Maximum file size (bytes); a larger run is not saved, so the next process observes it again.
MAX_FILE = 8 * 1024 * 1024
#: Version of the file format and of what is observed in a run.
_FORM = 3
#: Suffix of the file names.
_SUFFIX = ".known.p"
#: Length of a digest in characters.
_DIGEST = 32
#: Error handler for file names, which may contain unpaired surrogates.
_HALVES = "surrogatepass"
#: Types of settings whose text is the same in each process.
_PLAIN = (str, int, float, bool, type(None), list, tuple, dict)
#: Settings that differ between processes and do not affect what templates read.
_OF_PROCESS = frozenset(("grains", "pillar", "pid", "jid"))


class KnownRunFiles:
    """Known runs in files below a cache directory; they are valid while `about` returns the same text."""

    def __init__(self, cachedir: str, about: Callable[[], str]) -> None:
        self._folder = os.path.join(cachedir, "known_runs")
        self._make_about = about
        self._about = ""

    def load(self, call: str) -> tuple[KnownRun, float] | None:
        """Return the known run of a call and its age in seconds, or None if there is no usable one."""
        try:
            if not self._is_private():
                return None
            with open(self._path(call), "rb") as file:
                content = file.read()
            digest, rest = content[:_DIGEST], content[_DIGEST:]
            if digest != content_digest(rest).encode():
                log.debug("the known run of %s is not used because its file is damaged", call)
                return None
            found = msgpack.unpackb(rest, unicode_errors=_HALVES)
            if found["about"] != self._of_now():
                return None
            age = time.time() - found["at"]
            return (_run(found), age) if age >= 0 else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
            log.debug("the known run of %s is not used: %s", call, exc)
            return None

    def save(self, call: str, run: KnownRun, age: float) -> None:
        """Save the known run of a call; after a failure the next process observes the call again."""
        fields = {"about": self._of_now(), **run._asdict(), "at": time.time() - age}
        path = self._path(call)
        # msgpack does not support sets, so they become lists.
        rest = msgpack.packb(fields, default=list, unicode_errors=_HALVES)
        try:
            # Remove the old file first, because some file systems flush a file that replaces another one.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            if len(rest) > MAX_FILE:
                return
            make_private_directory(self._folder)
            write_new_or_replace(path, content_digest(rest).encode() + rest)
            self._remove_old()
        except OSError as exc:
            log.info("cannot save the known run of %s for the next process: %s", call, exc)

    def _is_private(self) -> bool:
        """Return whether only this user can write to the directory; other users' files could hide reads."""
        found = os.stat(self._folder, follow_symlinks=False)
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022

    def _path(self, call: str) -> str:
        return os.path.join(self._folder, f"{digest_of(call)}{_SUFFIX}")

    def _of_now(self) -> str:
        self._about = self._about or digest_of(f"{_FORM} {self._make_about()}")
        return self._about

    def _remove_old(self) -> None:
        # `.json` is the suffix of earlier file formats.
        paths = [entry.path for entry in os.scandir(self._folder) if entry.name.endswith((_SUFFIX, ".json"))]
        for path in sorted(paths, key=lambda path: os.stat(path).st_mtime_ns, reverse=True)[MOST:]:
            os.unlink(path)


def about_of(opts: Mapping[str, Any]) -> str:
    """Return a text with the program's version and the settings that can affect what templates read."""
    from salt_g import __version__

    plain = [
        (name, value)
        for name, value in opts.items()
        if type(value) in _PLAIN and name not in _OF_PROCESS and not name.startswith("__")
    ]
    return repr((__version__, sorted(plain, key=lambda item: str(item[0]))))


def _run(found: Mapping[str, Any]) -> KnownRun:
    """Build a run from a file's content; raise KeyError, TypeError or AttributeError if it is damaged."""
    fields = {name: found[name] for name in KnownRun._fields if name != "at"}
    fields.update(
        renderings={
            key: RenderingReads(owner, *map(frozenset, parts))
            for key, (owner, *parts) in found["renderings"].items()
        },
        others=frozenset(found["others"]),
        names=_frozen(found["names"]),
        whole=_frozen(found["whole"]),
        compiled=frozenset(found["compiled"]),
    )
    return KnownRun(**fields)


def _frozen(names: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {owner: frozenset(found) for owner, found in names.items()}
