"""Automatic acceptance and rejection of keys: settings, lists of patterns, grains, stubs.

The rules are inputs of `admission.py`. The files are reread when they change; a file that other users can
write is ignored.
Errors: KeysUnavailable when an existing file cannot be read, because the file might reject the key.
Units: `autosign_timeout` in minutes, as the setting.
Source: wire specification, section 5.5.
"""

from __future__ import annotations

import dataclasses
import errno
import logging
import os
import stat
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import KeysUnavailable
from salt_g.keys.admission import AdmissionRules
from salt_g.regex.name_patterns import matches_name

log = logging.getLogger(__name__)

#: Directory in `pki_dir` with empty files, each of which accepts one id once.
STUBS = "minions_autosign"
#: Maximum length of a list (characters). A longer one is an error: the part left out might reject a key.
MAX_LIST = 16 * 1024 * 1024
#: Errors that mean that a file is missing; other errors do not say whether it exists.
_MISSING = (FileNotFoundError, NotADirectoryError)


@dataclasses.dataclass(frozen=True)
class AutoSettings:
    """Settings for automatic decisions about keys, with stock's names."""

    pki_dir: str
    auto_accept: bool = False
    open_mode: bool = False
    autosign_file: str = ""
    autoreject_file: str = ""
    autosign_grains_dir: str = ""
    autosign_timeout: float = 120
    permissive_pki_access: bool = False

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> AutoSettings:
        """Return the settings of a master; null values become the defaults."""
        return cls(**{name: opts[name] for name in cls.__dataclass_fields__ if opts.get(name) is not None})


class Policy:
    """Source of the admission rules for each id, from the settings and lists."""

    def __init__(self, settings: AutoSettings, *, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._clock = clock
        self._lists: dict[str, _Lines] = {}

    def rules(self, id: str, grains: Mapping[str, Any], *, full: str = "") -> AdmissionRules:
        """Return the rules for an undecided id that offers these `autosign_grains`."""
        settings = self._settings
        reject = self._listed(id, settings.autoreject_file)
        return AdmissionRules(
            open_mode=settings.open_mode,
            accept="" if reject else self._accepts(id, grains),
            reject=reject and f"{settings.autoreject_file} rejects {reject!r}",
            full=full,
        )

    def rules_for_known(self, *, full: str = "") -> AdmissionRules:
        """Return the rules for an id that is already decided, for which no list is read."""
        return AdmissionRules(open_mode=self._settings.open_mode, full=full)

    def use_up(self, id: str) -> None:
        """Remove the stub of an accepted id."""
        try:
            os.unlink(self._stub(id))
        except _MISSING:
            pass
        except OSError as exc:
            log.error("cannot remove %s, which would accept this id again: %s", self._stub(id), exc.strerror)

    def _accepts(self, id: str, grains: Mapping[str, Any]) -> str:
        settings = self._settings
        if settings.auto_accept:
            return "auto_accept accepts every new key"
        if pattern := self._listed(id, settings.autosign_file):
            return f"{settings.autosign_file} accepts {pattern!r}"
        if self._has_stub(id):
            return f"{STUBS} accepts this id"
        if grain := self._grain(grains):
            return f"{settings.autosign_grains_dir} accepts this value of grain {grain!r}"
        return ""

    def _listed(self, id: str, path: str) -> str:
        """Return the first pattern in a file that matches an id, or '' if none does."""
        return next((pattern for pattern in self._lines(path) if matches_name(id, pattern)), "")

    def _grain(self, grains: Mapping[str, Any]) -> str:
        directory = self._settings.autosign_grains_dir
        if not (directory and grains):
            return ""
        try:
            # File names come from the operator; values of a peer are only looked up.
            named = [name for name in os.listdir(directory) if name in grains]
        except _MISSING:
            return ""
        except OSError as exc:
            raise KeysUnavailable(directory, exc) from exc
        files = ((name, os.path.join(directory, name)) for name in named)
        return next((name for name, path in files if str(grains[name]) in self._lines(path)), "")

    def _lines(self, path: str) -> tuple[str, ...]:
        if not path:
            return ()
        return self._lists.setdefault(path, _Lines(path)).read(
            permissive=self._settings.permissive_pki_access
        )

    def _stub(self, id: str) -> str:
        return os.path.join(self._settings.pki_dir, STUBS, id)

    def _has_stub(self, id: str) -> bool:
        path = self._stub(id)
        try:
            found = os.stat(path, follow_symlinks=False)
        except _MISSING:
            return False
        except OSError as exc:
            raise KeysUnavailable(path, exc) from exc
        limit = self._settings.autosign_timeout * 60
        if limit > 0 and found.st_mtime < self._clock() - limit:
            log.warning("%s: %s is older than %g minutes, so it is removed", id, path, limit / 60)
            self.use_up(id)
            return False
        return stat.S_ISREG(found.st_mode)


class _Lines:
    """Lines of a file, reread when it changes."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: tuple[int, ...] = ()
        self._lines: tuple[str, ...] = ()

    def read(self, *, permissive: bool) -> tuple[str, ...]:
        """Return the lines without comments; no lines if the file is missing or writable by others."""
        try:
            found = os.stat(self._path)
            seen = (found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode, found.st_gid)
            if seen != self._seen:
                self._lines = self._read() if self._may_be_trusted(found, permissive) else ()
                self._seen = seen
        except _MISSING:
            self._seen = ()
            return ()
        except OSError as exc:
            raise KeysUnavailable(self._path, exc) from exc
        return self._lines

    def _read(self) -> tuple[str, ...]:
        with open(self._path, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_LIST + 1)
        if len(text) > MAX_LIST:
            raise OSError(errno.EFBIG, f"it has more than {MAX_LIST >> 20} MiB")
        lines = [line.strip() for line in text.splitlines()]
        return tuple(line for line in lines if line and not line.startswith("#"))

    def _may_be_trusted(self, found: os.stat_result, permissive: bool) -> bool:
        by_group = bool(found.st_mode & stat.S_IWGRP)
        our_group = found.st_gid in (os.getegid(), *os.getgroups())
        if not stat.S_ISREG(found.st_mode) or found.st_mode & stat.S_IWOTH:
            trusted = False
        else:
            trusted = not by_group or (permissive and our_group)
        if not trusted:
            log.warning(
                "%s is ignored, because others can write to it; remove their write permission", self._path
            )
        return trusted
