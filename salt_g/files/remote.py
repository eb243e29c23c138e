"""File server of the file client for files of a master, over its sealed channel.

The alternative is `local.py`, which reads local roots. Both have the same interface for `client.py`.
`bulk_requests.py` requests many files at once, `description.py` parses the master's description of each.
Units: seconds, bytes.
Errors: FileServerError when a received file is malformed or does not match its description; errors of
`Asking.ask` (NoReply, SignInRefused, WireError) propagate.
Source: wire specification, section 9.2.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

from salt_g.data.bounded_cache import remember
from salt_g.errors import FileServerError
from salt_g.files.atomic_write import clear_way, placed
from salt_g.files.bulk_requests import BulkRequests, CopyOf
from salt_g.files.client import FileClient
from salt_g.files.description import Description, literal_path, read_description
from salt_g.files.hashes import HashCache
from salt_g.formats import salturl
from salt_g.net.web_proxy import WebProxy
from salt_g.process.offload import offload_in_daemon
from salt_g.services.daemons import Asking

log = logging.getLogger(__name__)

#: Lifetime of a cached listing (s); a state run requests the same one many times.
LIST_AGE = 5.0
#: Lifetime of a cached hash and status (s); a state requests both, and then the file.
HASH_AGE = 1.0
#: Maximum number of cached hashes.
REMEMBERED = 10_000
#: Maximum size to which one compressed piece may expand (bytes). Masters send pieces of 1 MiB.
MAX_PIECE = 64 << 20
#: Maximum size of a requested piece (bytes). Stock's masters send pieces of their `file_buffer_size`.
LONGEST = 4 << 20
#: Number of pieces requested ahead of the piece being written.
AHEAD = 3
#: Minimum size of a piece that is written and hashed in a native thread (bytes).
LARGE_PIECE = 128 * 1024
#: Fields of a piece that stay bytes.
_BINARY = ("data",)
#: Maximum number of attempts for a file that changes on the master during the transfer.
TRIES = 3


class RemoteServer:
    """File server for files of a master; implements `protocols.FileSource`."""

    def __init__(self, channel: Asking, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._channel = channel
        self._clock = clock
        self._hashes = HashCache()
        self._listings: dict[str, RemoteListing] = {}
        self._described: dict[tuple[str, str], tuple[float, Description | None]] = {}
        self._envs: tuple[float, list[str]] = (-math.inf, [])
        self._bulk = BulkRequests(channel)
        self._contents: dict[tuple[str, str], bytes] = {}

    def envs(self) -> list[str]:
        """Return the file environments, sorted; they are requested at most every `LIST_AGE` seconds."""
        made, envs = self._envs
        if self._clock() - made > LIST_AGE:
            envs = sorted(_texts(self._channel.ask({"cmd": "_file_envs"})))
            self._envs = (self._clock(), envs)
        return list(envs)

    def listing(self, saltenv: str) -> RemoteListing:
        """Return the listing of an environment; each part is requested when first read."""
        listing = self._listings.get(saltenv)
        if listing is None or self._clock() - listing.made > LIST_AGE:
            listing = self._listings[saltenv] = RemoteListing(self._channel, saltenv, self._clock())
        return listing

    def refresh(self, path: str, saltenv: str, dest: str) -> bool:
        """Update `dest`, a private copy of a file; return False when the file does not exist."""
        wanted = self._describe(path, saltenv)
        if wanted is None:
            return False
        if self._is_copy(dest, wanted):
            return True
        clear_way(dest)
        content = self._content(path, saltenv, wanted)
        with placed(dest) as file:
            if content is None:
                return self.write(path, saltenv, file)
            file.write(content)
            return True

    def write(self, path: str, saltenv: str, file: IO[bytes], *, gzip: int | None = None) -> bool:
        """Write the content of a file into `file`, which must be empty; return False when it does not exist.

        `gzip` is the level at which the master compresses the pieces.
        """
        wanted = self._describe(path, saltenv)
        for _ in range(TRIES):
            if wanted is None:
                return False
            if self._fetch(path, saltenv, wanted, file, gzip):
                return True
            file.seek(0)
            file.truncate()
            wanted = self._describe(path, saltenv, anew=True)
        raise FileServerError(
            f"salt://{path} ({saltenv}) arrived {TRIES} times with content that does not match its hash"
        )

    def hash_file(self, path: str, saltenv: str) -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} when the file does not exist."""
        found = self._describe(path, saltenv)
        return {"hsum": found.hsum, "hash_type": found.hash_type} if found else {}

    def stat_file(self, path: str, saltenv: str) -> os.stat_result | None:
        """Return the status of a file on the master, or None when it does not exist."""
        found = self._describe(path, saltenv)
        return found.status if found else None

    def forget(self) -> None:
        """Discard cached listings, descriptions and contents, as at the start of a job."""
        self._listings.clear()
        self._described.clear()
        self._contents.clear()

    @contextlib.contextmanager
    def announced(self, paths: Sequence[str], saltenv: str, copy_of: CopyOf) -> Iterator[None]:
        """Expect files to be used in this order during the block; `copy_of` returns the path of a copy."""
        with self._bulk.announced(paths, saltenv, copy_of):
            try:
                yield
            finally:
                self._contents.clear()

    def _describe(self, path: str, saltenv: str, *, anew: bool = False) -> Description | None:
        now = self._clock()
        asked, known = self._described.get((path, saltenv), (float("-inf"), None))
        if not anew and now - asked <= HASH_AGE:
            return known
        asked, many = (now, {}) if anew else self._bulk.describe(path, saltenv, now=now)
        if path not in many:
            reply = self._channel.ask({"cmd": "_file_hash_and_stat", **_place(path, saltenv)})
            return self._remember(path, saltenv, now, read_description(reply))
        for each, found in many.items():
            self._remember(each, saltenv, asked, found)
        return many[path]

    def _remember(self, path: str, saltenv: str, now: float, found: Description | None) -> Description | None:
        remember(self._described, (path, saltenv), (now, found), REMEMBERED)
        return found

    def _content(self, path: str, saltenv: str, wanted: Description) -> bytes | None:
        """Return the content of a small file from a bulk request, or None if it is not available."""

        def missing_size(each: str, copy: str) -> int | None:
            found = self._described.get((each, saltenv), (0.0, None))[1]
            return None if found is None or not found.status or self._is_copy(copy, found) else found.size

        if (path, saltenv) not in self._contents:
            many = self._bulk.fetch(path, saltenv, missing_size)
            self._contents = {(each, saltenv): data for each, data in many.items()}
        data = self._contents.pop((path, saltenv), None)
        if data is None or _digest_of(data, wanted.hash_type) != wanted.hsum:
            return None
        return data

    def _is_copy(self, dest: str, wanted: Description) -> bool:
        try:
            if not stat.S_ISREG(os.lstat(dest).st_mode):
                return False
        except OSError:
            return False
        return self._hashes.hash_of(dest, wanted.hash_type) == wanted.hsum

    def _fetch(self, path: str, saltenv: str, wanted: Description, file: IO[bytes], gzip: int | None) -> bool:
        """Write a file piece by piece; return whether its hash matches."""
        digest = _new_digest(wanted.hash_type)
        for piece in self._pieces(path, saltenv, gzip, wanted.size):
            if len(piece) < LARGE_PIECE:
                _write(file, digest, piece)
            else:
                offload_in_daemon(_write, file, digest, piece)
            # A matching hash shows that the file is complete, which saves the request for an empty last
            # piece.
            if digest.hexdigest() == wanted.hsum:
                log.debug(
                    "file salt://%s (%s): fetched from the master, %d bytes", path, saltenv, file.tell()
                )
                return True
        return bool(digest.hexdigest() == wanted.hsum)

    def _pieces(self, path: str, saltenv: str, gzip: int | None, size: int) -> Iterator[bytes | memoryview]:
        """Yield the content of a file in pieces; `size` is the length of the file, 0 if unknown.

        All pieces from a master are as long as the first, so later ones are requested in advance.
        """
        load: dict[str, Any] = {"cmd": "_serve_file", **_place(path, saltenv), "most": LONGEST}
        if gzip:
            load["gzip"] = gzip
        ahead: deque[Callable[[], Any]] = deque()
        loc = next_loc = stride = 0
        while True:
            while stride and len(ahead) < AHEAD and next_loc < size:
                ahead.append(self._channel.ask_ahead({**load, "loc": next_loc}, binary=_BINARY))
                next_loc += stride
            reply = ahead.popleft()() if ahead else self._channel.ask({**load, "loc": loc}, binary=_BINARY)
            piece = _piece(reply)
            if not piece:
                return
            loc += len(piece)
            stride = stride or len(piece)
            if not ahead or len(piece) != stride:
                # A piece of another size means that the file has changed; pieces requested ahead start at
                # wrong offsets.
                ahead.clear()
                next_loc = loc
            yield piece


class RemoteListing:
    """Listing of an environment of a master; each part is fetched once, when first read."""

    def __init__(self, channel: Asking, saltenv: str, made: float) -> None:
        self.made = made
        self._channel = channel
        self._saltenv = saltenv
        self._parts: dict[str, Any] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files, relative, sorted."""
        return self._names("_file_list")

    @property
    def directories(self) -> tuple[str, ...]:
        """The paths of all directories."""
        return self._names("_dir_list")

    @property
    def empty_directories(self) -> tuple[str, ...]:
        """The empty directories."""
        return self._names("_file_list_emptydirs")

    @property
    def links(self) -> Mapping[str, str]:
        """The link targets by path."""
        found = self._part("_symlink_list")
        return found if isinstance(found, Mapping) else {}

    def _names(self, command: str) -> tuple[str, ...]:
        if command not in self._parts:
            self._parts[command] = tuple(sorted(_texts(self._part(command))))
        names: tuple[str, ...] = self._parts[command]
        return names

    def _part(self, command: str) -> Any:
        if command not in self._parts:
            load = {"cmd": command, "saltenv": self._saltenv, "prefix": ""}
            self._parts[command] = self._channel.ask(load)
        return self._parts[command]


class RemoteClient(FileClient):
    """File client of a machine with a master."""

    def __init__(self, channel: Asking, opts: Mapping[str, Any]) -> None:
        cachedir = str(opts["cachedir"])
        self._remote = RemoteServer(channel)
        hash_type = str(opts.get("hash_type") or "sha256")
        super().__init__(self._remote, cachedir, hash_type=hash_type, web=WebProxy.of(opts))

    def forget(self) -> None:
        """Discard cached listings, descriptions and contents, as at the start of a job."""
        self._remote.forget()

    @contextlib.contextmanager
    def announced(self, urls: Iterable[str], saltenv: str = "base") -> Iterator[None]:
        """Expect files to be used in this order during the block, so that they can be requested together."""
        paths: dict[str, list[str]] = {}
        for parts in map(salturl.parse, filter(salturl.is_salt_url, urls)):
            paths.setdefault(parts.saltenv or saltenv, []).append(parts.path)
        with contextlib.ExitStack() as stack:
            for env, names in paths.items():
                stack.enter_context(self._remote.announced(names, env, self._salt_cache))
            yield


def _place(path: str, saltenv: str) -> dict[str, str]:
    """Return the request fields that name a file."""
    return {"path": literal_path(path), "saltenv": saltenv}


def _texts(reply: Any) -> list[str]:
    return [item for item in reply if isinstance(item, str)] if isinstance(reply, (list, tuple)) else []


def _piece(reply: Any) -> bytes | memoryview:
    """Return the content of a reply to `_serve_file`; b'' beyond the end and for a missing file."""
    data = reply.get("data") if isinstance(reply, Mapping) else None
    if not isinstance(data, (bytes, memoryview)) or not data:
        return b""
    return _unpacked(data) if reply.get("gzip") else data


def _write(file: IO[bytes], digest: Any, piece: bytes | memoryview) -> None:
    file.write(piece)
    digest.update(piece)


def _unpacked(data: bytes | memoryview) -> bytes:
    import zlib  # Imported lazily: pieces are compressed only on a user's request.

    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        piece = unpacker.decompress(data, MAX_PIECE)
    except zlib.error as exc:
        raise FileServerError(f"a piece of a file is not gzip data: {exc}") from exc
    if unpacker.unconsumed_tail:
        raise FileServerError(f"a piece of a file unpacks to more than {MAX_PIECE} bytes")
    return piece


def _digest_of(data: bytes, hash_type: str) -> str:
    digest = _new_digest(hash_type)
    digest.update(data)
    return str(digest.hexdigest())


def _new_digest(hash_type: str) -> Any:
    import hashlib  # Imported lazily: 3 ms, and most files are not fetched.

    try:
        return hashlib.new(hash_type)
    except ValueError as exc:
        raise FileServerError(f"the master uses hash algorithm {hash_type!r}, which this host lacks") from exc
