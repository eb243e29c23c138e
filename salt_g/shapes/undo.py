"""Types of the records of `state.undo`."""

from typing import TypedDict


class PathEntry(TypedDict, total=False):
    """Description of a path; of a missing one, `kind` alone.

    `kind` is `missing`, `file`, `link`, `directory` or `other` (devices, pipes and sockets, which cannot be
    restored). `target` is set for links; files have `sha256`, `size`, `inode` ([device, number]) and `mtime`
    (ns), and small ones on a host also `content`.
    """

    kind: str
    uid: int
    gid: int
    mode: int
    target: str
    sha256: str
    size: int
    inode: list[int]
    mtime: int
    content: bytes


class _OfTest(TypedDict, total=False):
    test: bool


class UndoReply(_OfTest):
    """Outcome of `state.undo`; `result` is False when something is left, and `left` says why, by path.

    `restarted` is {service: how}, `not_reversible` has {fun, id, changes} of states whose changes stay. In
    test mode, `test` is True.
    """

    jid: str
    result: bool
    comment: str
    restored: list[str]
    services: list[str]
    restarted: dict[str, str]
    left: dict[str, str]
    not_reversible: list[dict[str, str]]
