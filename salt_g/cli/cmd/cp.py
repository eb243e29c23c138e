"""`salt-g cp TARGET SOURCE ... DEST`: copy files from this machine to minions.

Stock's `salt-cp`. Text files are sent in one job (`cp.recv`); with `--chunked` any file is sent in chunks,
one job for each (`cp.recv_chunked`).
"""

from __future__ import annotations

import argparse
import base64
import gzip
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.cli import client_settings, error_report, exit_codes, printing, saltfile
from salt_g.cli.cmd.cp_options import build_parser, overrides
from salt_g.cli.stdio import notices
from salt_g.cli.target_options import target_of
from salt_g.client.local import LocalClient
from salt_g.client.publishing import NO_MINIONS
from salt_g.errors import SaltGError
from salt_g.shapes.loads import Answers

#: {minion: {path on the minion: True, or the error text}}
Copied = Answers


class _Unusable(SaltGError):
    """Raised for a source that cannot be copied; `code` is the exit code."""

    def __init__(self, message: str, code: int) -> None:
        self.code = code
        super().__init__(message)


def main(words: list[str]) -> int:
    """Copy the files given on the command line; return the exit code."""
    parser = build_parser()
    options, rest = saltfile.split(parser, words, "salt-cp")
    if len(rest) < 3:
        parser.error("Insufficient arguments")
    try:
        return _run(options, rest)
    except _Unusable as exc:
        print(exc, file=sys.stderr)
        return exc.code
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc, crashes=options.hard_crash)


def _run(options: argparse.Namespace, words: Sequence[str]) -> int:
    opts = client_settings.load(options, overrides(options), asks_for_id=False)
    target, *sources, dest = words
    paths = [os.path.realpath(source) for source in sources]
    with LocalClient(mopts=opts) as client:
        copier = _Copier(client, target_of(target, options.tgt_type), options)
        copied = copier.send_in_chunks(paths, dest) if options.chunked else copier.send_whole(paths, dest)
    if not copied:
        print(NO_MINIONS, file=notices(opts))
        printing.present_nothing(opts)
        return exit_codes.NOBODY
    code = printing.present(copied, None, opts)
    return code or (exit_codes.OK if _is_whole(copied) else exit_codes.FAILED)


def _is_whole(copied: Copied) -> bool:
    return all(
        isinstance(one, Mapping) and all(done is True for done in one.values()) for one in copied.values()
    )


class _Copier:
    """Copier of files to the minions of one target."""

    def __init__(self, client: LocalClient, target: Any, options: argparse.Namespace) -> None:
        self._client = client
        self._target = target
        self._options = options

    def send_whole(self, paths: Sequence[str], dest: str) -> Copied:
        """Send all files as text in one job."""
        return self._call("cp.recv", [{path: _text_of(path) for path in paths}, dest])

    def send_in_chunks(self, paths: Sequence[str], dest: str) -> Copied:
        """Send each file in chunks and create empty directories; report the first error of each file."""
        found = [one for path in paths for one in _walk(path)]
        is_directory = len(found) > 1 or dest.endswith("/") or any(os.path.isdir(path) for path, _ in found)
        copied: Copied = {}
        for path, top in found:
            remote = _remote_path(path, top, dest, is_directory=is_directory)
            for arguments in self._chunks(path, remote):
                returned = self._call("cp.recv_chunked", arguments)
                if not returned:
                    return copied
                for id, done in returned.items():
                    files = copied.setdefault(id, {})
                    if files.get(remote, True) is True:
                        files[remote] = done
        return copied

    def _chunks(self, path: str, remote: str) -> Iterator[list[Any]]:
        """Yield the arguments of `cp.recv_chunked` for each chunk of a file, or for a directory."""
        if os.path.isdir(path):
            yield [remote, None]
            return
        size = int(self._client.opts["salt_cp_chunk_size"])
        with _opened(path) as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            piece, number = file.read(size), 0
            while piece or number == 0:
                data = gzip.compress(piece) if self._options.gzip else piece
                yield [remote, base64.b64encode(data).decode("ascii"), number > 0, self._options.gzip, mode]
                piece, number = file.read(size), number + 1

    def _call(self, fun: str, arguments: list[Any]) -> Copied:
        return self._client.cmd(
            self._target,
            fun,
            arguments,
            tgt_type=self._options.tgt_type,
            delimiter=self._options.delimiter,
        )


def _text_of(path: str) -> str:
    if os.path.isdir(path):
        raise _Unusable(
            f"{path} is a directory, only files are supported in non-chunked mode."
            ' Use "--chunked" command line argument.',
            exit_codes.FAILED,
        )
    with _opened(path) as file:
        data = file.read()
    try:
        text: str = data.decode()
    except UnicodeDecodeError:
        raise _Unusable(f"{path} is not a text file; copy it with --chunked", exit_codes.FAILED) from None
    return text


def _opened(path: str) -> Any:
    try:
        return open(path, "rb")
    except OSError as exc:
        reason = f"The referenced file, {path} is not available."
        raise _Unusable(f"{reason} ({exc.strerror})", exit_codes.WORDS_MISSING) from exc


def _walk(path: str) -> list[tuple[str, str]]:
    """Return (path, source) for each file and empty directory of a source."""
    if not os.path.exists(path):
        raise _Unusable(f"{path} does not exist", exit_codes.WORDS_MISSING)
    if not os.path.isdir(path):
        return [(path, path)]
    found = []
    for directory, below, files in os.walk(path):
        found += [(os.path.join(directory, name), path) for name in sorted(files)]
        if not (below or files):
            found.append((directory, path))
    return found


def _remote_path(path: str, top: str, dest: str, *, is_directory: bool) -> str:
    """Return the destination path on the minion; a directory is copied under its own name into `dest`."""
    if path != top:
        return os.path.join(dest, os.path.basename(top), os.path.relpath(path, top))
    return os.path.join(dest, os.path.basename(path)) if is_directory else dest
