"""Steps of an installation, as values that can be printed before they are carried out.

Shapes: paths are those of the installed host, regardless of the local directory of its root.
"""

from __future__ import annotations

from typing import NamedTuple


class MakeDirectory(NamedTuple):
    """Creation of a directory; its parent exists or is created by an earlier step."""

    path: str
    mode: int = 0o755


class PutFile(NamedTuple):
    """File to write; a dry run prints `instead`, unless that is "", in place of the content."""

    path: str
    content: bytes
    mode: int = 0o644
    instead: str = ""


class CopyFile(NamedTuple):
    """Copy of a large file from `source` on this machine."""

    path: str
    source: str
    mode: int = 0o755


class CopyTree(NamedTuple):
    """Copy of a directory tree from `source` on this machine, readable by all users."""

    path: str
    source: str


class PutLink(NamedTuple):
    """Symbolic link, replacing an existing one."""

    path: str
    target: str


class Remove(NamedTuple):
    """Removal of a file, link or directory tree; a `directory` only if it is empty."""

    path: str
    kind: str


class RunCommand(NamedTuple):
    """Command to run; its failure ends the installation with its output, unless it `may_fail`."""

    words: tuple[str, ...]
    may_fail: bool = False


Step = MakeDirectory | PutFile | CopyFile | CopyTree | PutLink | Remove | RunCommand


class Note(NamedTuple):
    """Message; one about a problem makes the command fail after all other steps."""

    text: str
    is_problem: bool = False


class InstallPaths(NamedTuple):
    """Paths of a role, from its settings."""

    pki_dir: str
    cachedir: str
    log_file: str
    pid_file: str


class InstallPlan(NamedTuple):
    """Steps in order, and messages."""

    steps: list[Step]
    notes: list[Note]
