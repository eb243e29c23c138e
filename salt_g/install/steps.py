"""The steps of an installation, as values: what they would do can be shown before it is done.

Shapes: paths are those of the host that is installed, whatever directory stands for its root here.
"""

from __future__ import annotations

from typing import NamedTuple


class MakeDirectory(NamedTuple):
    """A directory that is missing; its parent is there, or made by an earlier step."""

    path: str
    mode: int = 0o755


class PutFile(NamedTuple):
    """A file as it is to be; `is_secret` keeps its content from being shown."""

    path: str
    content: bytes
    mode: int = 0o644
    is_secret: bool = False


class CopyFile(NamedTuple):
    """A large file, from `source` on this machine."""

    path: str
    source: str
    mode: int = 0o755


class CopyTree(NamedTuple):
    """A directory with all that it holds, from `source` on this machine; everybody may read it."""

    path: str
    source: str


class PutLink(NamedTuple):
    """A symbolic link, in place of one that is there."""

    path: str
    target: str


class Remove(NamedTuple):
    """A file, a link or a directory tree that goes; a `directory` only when it is empty."""

    path: str
    kind: str


class RunCommand(NamedTuple):
    """A program that runs; its failure ends the installation with what it said, unless it `may_fail`."""

    words: tuple[str, ...]
    may_fail: bool = False


Step = MakeDirectory | PutFile | CopyFile | CopyTree | PutLink | Remove | RunCommand


class Note(NamedTuple):
    """Something to tell; a problem makes the command fail, though the rest was done."""

    text: str
    is_problem: bool = False


class InstallPaths(NamedTuple):
    """Where a role keeps what, as its settings say."""

    pki_dir: str
    cachedir: str
    log_file: str
    pid_file: str


class Plan(NamedTuple):
    """Steps in order, and what is to be told."""

    steps: list[Step]
    notes: list[Note]
