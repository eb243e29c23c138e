"""Runs whose reads are known, in files: for the next process, of a daemon or of a call without a master.

Shapes: a file has the digest of the rest in its first line, then JSON of the fields of `KnownRun`, with
`about` (program and settings of the run) and the time of the observation. They hold names and digests, no
values; the directory is private. The newest 16 are kept.
Units: bytes; seconds, and seconds since the epoch in files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import stat
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.process.disk import make_private_directory, write_whole
from salt_g.report.known_rendering import Rendering
from salt_g.report.known_runs import MOST, KnownRun
from salt_g.report.run_data import digest_of

log = logging.getLogger(__name__)

#: Largest file; a larger run is observed again by the next process.
MAX_FILE = 8 * 1024 * 1024
#: Changes with the shape of the files, and with what is observed of a run.
_FORM = 2
#: Types of settings that have the same text in each process.
_PLAIN = (str, int, float, bool, type(None), list, tuple, dict)
#: Settings that differ from process to process and decide nothing in templates.
_OF_PROCESS = frozenset(("grains", "pillar", "pid", "jid"))


class KnownRunFiles:
    """Files below a cache directory; `about` returns what a run has to have in common with a known one."""

    def __init__(self, cachedir: str, about: Callable[[], str]) -> None:
        self._folder = os.path.join(cachedir, "known_runs")
        self._make_about = about
        self._about = ""

    def load(self, call: str) -> tuple[KnownRun, float] | None:
        """Return what is known of a call with its age, None if nothing is."""
        try:
            if not self._is_private():
                return None
            with open(self._path(call), encoding="utf-8") as file:
                digest, _, text = file.read().partition("\n")
            if digest != digest_of(text):
                log.debug("what %s has read before is not known: its file is damaged", call)
                return None
            found = json.loads(text)
            if found["about"] != self._of_now():
                return None
            age = time.time() - found["at"]
            return (_run(found), age) if age >= 0 else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
            log.debug("what %s has read before is not known: %s", call, exc)
            return None

    def save(self, call: str, run: KnownRun, age: float) -> None:
        """Keep what is known of a call; a failure only costs the next process an observation."""
        fields = {"about": self._of_now(), **_fields(run), "at": time.time() - age}
        path = self._path(call)
        text = json.dumps(fields)
        try:
            if len(text) > MAX_FILE:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
                return
            make_private_directory(self._folder)
            write_whole(path, f"{digest_of(text)}\n{text}")
            self._remove_old()
        except OSError as exc:
            log.info("what %s has read is not kept for the next process: %s", call, exc)

    def _is_private(self) -> bool:
        """Return whether only our user can write files; others could hide what runs read."""
        found = os.stat(self._folder, follow_symlinks=False)
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022

    def _path(self, call: str) -> str:
        return os.path.join(self._folder, f"{digest_of(call)}.json")

    def _of_now(self) -> str:
        self._about = self._about or digest_of(f"{_FORM} {self._make_about()}")
        return self._about

    def _remove_old(self) -> None:
        paths = [entry.path for entry in os.scandir(self._folder) if entry.name.endswith(".json")]
        for path in sorted(paths, key=lambda path: os.stat(path).st_mtime_ns, reverse=True)[MOST:]:
            os.unlink(path)


def about_of(opts: Mapping[str, Any]) -> str:
    """Return a text of the program and of those settings that may decide what templates read."""
    from salt_g import __version__

    plain = [
        (name, value)
        for name, value in opts.items()
        if type(value) in _PLAIN and name not in _OF_PROCESS and not name.startswith("__")
    ]
    return repr((__version__, sorted(plain, key=lambda item: str(item[0]))))


def _fields(run: KnownRun) -> dict[str, Any]:
    return {
        **run._asdict(),
        "renderings": {key: [one[0], *map(list, one[1:])] for key, one in run.renderings.items()},
        "others": list(run.others),
        "names": _listed(run.names),
        "whole": _listed(run.whole),
        "compiled": list(run.compiled),
    }


def _run(found: Mapping[str, Any]) -> KnownRun:
    """Return the run of a file; raise KeyError, TypeError, AttributeError for a damaged one."""
    fields = {name: found[name] for name in KnownRun._fields if name != "at"}
    fields.update(
        renderings={
            key: Rendering(owner, *map(frozenset, parts))
            for key, (owner, *parts) in found["renderings"].items()
        },
        others=frozenset(found["others"]),
        names=_frozen(found["names"]),
        whole=_frozen(found["whole"]),
        compiled=frozenset(found["compiled"]),
    )
    return KnownRun(**fields)


def _listed(names: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    return {owner: list(found) for owner, found in names.items()}


def _frozen(names: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {owner: frozenset(found) for owner, found in names.items()}
