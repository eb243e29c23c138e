"""File commands for minions, and updates of the fileserver backends.

`files/server.py` answers the commands; the fields that peers may send are declared here.
Source: wire specification, section 9.2; security property 15.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.files import backend_chain as backends
from salt_g.files.backend import Updates
from salt_g.files.changes import RootsChanges
from salt_g.files.roots import Roots, RootsRules
from salt_g.files.server import NO_PIECE, NO_PLACE, FileServer
from salt_g.master.background.maintenance import MaintenanceTask
from salt_g.master.commands import OPTIONAL_TEXT, TEXT, Field, WireCommand
from salt_g.master.serving.refused_refs import RefusedRefs
from salt_g.master.settings import FileUpdateSettings
from salt_g.shapes import Opts
from salt_g.shapes.loads import FileLoad, ManyFilesLoad
from salt_g.transport.time_slice import TimeSlice
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

T = TypeVar("T")

#: Limits of one answer about many files; the minion asks again for the rest.
MOST_PATHS = 256
MOST_BYTES = 1 << 20
MOST_SECONDS = 1.0

_NUMBER = Field((int, type(None)))
_PLACE: Mapping[str, Field] = {"path": OPTIONAL_TEXT, "saltenv": OPTIONAL_TEXT}
_PIECE: Mapping[str, Field] = {**_PLACE, "loc": _NUMBER, "gzip": _NUMBER, "most": _NUMBER}
_MANY: Mapping[str, Field] = {"paths": Field((list,), required=True, max_size=MOST_PATHS), "saltenv": TEXT}
_PREFIX: Mapping[str, Field] = {"saltenv": OPTIONAL_TEXT, "prefix": OPTIONAL_TEXT}


class Files:
    """File server commands for minions."""

    def __init__(self, server: FileServer) -> None:
        self.server = server
        # Shared by all requests, so that many together yield to other greenlets as often as one does.
        self._turns = TimeSlice()

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands for files."""
        server = self.server
        return {
            "_serve_file": WireCommand(self._serve_file, _PIECE),
            "_file_hash": WireCommand(_of_file(server.digest, ""), _PLACE),
            "_file_hash_and_stat": WireCommand(_of_file(server.digest_and_status, ["", None]), _PLACE),
            "_file_find": WireCommand(_of_file(server.place, NO_PLACE), _PLACE),
            "_file_hashes": WireCommand(self._file_hashes, _MANY),
            "_serve_files": WireCommand(self._serve_files, _MANY),
            "_file_list": WireCommand(_of_env(server.files, []), _PREFIX),
            "_dir_list": WireCommand(_of_env(server.directories, []), _PREFIX),
            "_file_list_emptydirs": WireCommand(_of_env(server.empty_directories, []), _PREFIX),
            "_symlink_list": WireCommand(_of_env(server.links, {}), _PREFIX),
            "_file_envs": WireCommand(lambda request, load: server.envs()),
        }

    def _serve_file(self, request: SealedRequest, load: FileLoad) -> Any:
        path, saltenv, loc = load.get("path"), load.get("saltenv"), load.get("loc")
        if path is None or saltenv is None or loc is None:
            return NO_PIECE
        return self.server.piece(path, saltenv, loc, load.get("gzip"), load.get("most"))

    def _file_hashes(self, request: SealedRequest, load: ManyFilesLoad) -> Any:
        """Return {hash_type, files: [[digest, status] or None, ...]} for the first of the paths."""
        files: list[Any] = []
        hash_type = ""
        for found in self._each(load, self.server.digest_and_status):
            digest, status = found or (None, None)
            hash_type = digest["hash_type"] if digest else hash_type
            files.append([digest["hsum"], status] if digest else None)
        return {"hash_type": hash_type, "files": files}

    def _serve_files(self, request: SealedRequest, load: ManyFilesLoad) -> Any:
        """Return {data, sizes}: the first files in one piece; size -1 for one that needs its own request."""
        pieces: list[bytes] = []
        sizes: list[int] = []
        left = MOST_BYTES
        for data in self._each(load, self.server.small_file):
            pieces.append(data or b"")
            sizes.append(-1 if data is None else len(data))
            left -= len(pieces[-1])
            if left <= 0:
                break
        return {"data": b"".join(pieces), "sizes": sizes}

    def _each(self, load: ManyFilesLoad, answer: Callable[[str, str], T | None]) -> Iterator[T | None]:
        """Yield the answer for each path, for MOST_SECONDS; None for a file that needs its own request."""
        deadline = time.monotonic() + MOST_SECONDS
        for path in load["paths"]:
            yield self._attempt(path, load["saltenv"], answer)
            if time.monotonic() > deadline:
                return
            self._turns.pause()

    def _attempt(self, path: Any, saltenv: str, answer: Callable[[str, str], T | None]) -> T | None:
        if not isinstance(path, str) or TEXT.problem(path):
            return None
        try:
            return answer(path, saltenv)
        except OSError as exc:
            log.debug("%r of %r cannot be read with others: %s", path, saltenv, exc)
            return None


def file_server(opts: Opts) -> FileServer:
    """Return the file server described by a master's settings; raises ConfigError."""
    return FileServer(
        backends.from_opts(opts, RootsRules.of_master(opts)),
        piece_size=int(opts["file_buffer_size"]),
        hash_type=str(opts["hash_type"]),
    )


class FileUpdates:
    """Updates of backends, with events on the bus if `fileserver_events` is on."""

    def __init__(self, settings: FileUpdateSettings, server: FileServer, bus: Bus) -> None:
        self._fires_events = settings.fileserver_events
        self._interval = settings.roots_update_interval
        self._server = server
        self._bus = bus
        self._refused = RefusedRefs(bus)

    def duties(self) -> list[MaintenanceTask]:
        """Return the periodic maintenance tasks."""
        return [
            MaintenanceTask(f"update of {backend.name}", backend.interval, partial(self.update, backend))
            for backend in self.updating
        ]

    @property
    def updating(self) -> list[Updates]:
        """Return the backends that need updates, each with its interval."""
        backends = self._server.backends
        updating: list[Updates] = [*backends.updating()]
        if self._fires_events:
            roots = (backend for backend in backends.backends if isinstance(backend, Roots))
            updating += [RootsChanges(backend, self._interval) for backend in roots]
        return updating

    def update(self, backend: Updates) -> None:
        """Update one backend."""
        found = backend.update()
        self._refused.report(backend.name, found.refused)
        if found.changed and self._fires_events:
            self._bus.fire_payload(
                payloads.files_changed(backend.name, added=found.added, removed=found.removed, changed=True)
            )


def _of_file(answer: Callable[[str, str], Any], missing: Any) -> Callable[[SealedRequest, FileLoad], Any]:
    """Return a command about one file; a load without path or environment is answered with `missing`."""

    def run(request: SealedRequest, load: FileLoad) -> Any:
        path, saltenv = load.get("path"), load.get("saltenv")
        return missing if path is None or saltenv is None else answer(path, saltenv)

    return run


def _of_env(answer: Callable[[str, str], Any], missing: Any) -> Callable[[SealedRequest, FileLoad], Any]:
    """Return a command about one environment."""

    def run(request: SealedRequest, load: FileLoad) -> Any:
        saltenv = load.get("saltenv")
        return missing if saltenv is None else answer(saltenv, load.get("prefix") or "")

    return run
