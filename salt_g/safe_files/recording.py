"""Hook that records changes of files and services before they happen.

Every function of this package and every writer of `process/disk.py` calls the hook with the entry that it is
about to change. Without a recorder that costs one look-up. The recorder belongs to the running chunk of a
state run (`state/undo/journal.py`), including the threads and greenlets started by the chunk.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from salt_g.safe_files.links import DirectoryEntry

    class Recorder(Protocol):
        """Recorder of entries as they were before a change; only the first record of an entry counts.

        Its methods raise nothing.
        """

        def entry(self, parent: int, name: str) -> None:
            """Record an entry of an open directory: content, link, owner, mode, or its absence."""

        def tree(self, parent: int, name: str) -> None:
            """Record an entry and everything below it."""

        def linked(self, parent: int, name: str) -> None:
            """Record a file that gets another hard link, through which it can be changed later."""

        def temporary(self, parent: int, name: str) -> None:
            """Record a temporary file that will be renamed, and is left behind if the program is killed."""

        def elsewhere(self, paths: Iterable[str], *, tree: bool, follow: bool) -> None:
            """Record entries of the call's resource; `tree` adds all below, `follow` the targets of links."""

        def service(self, name: str, **states: bool | None) -> None:
            """Record previous states of a service that are about to change, as in `before_service`."""

        def restart(self, name: str, how: str) -> None:
            """Record that a running service is restarted or reloaded."""


_recorder: contextvars.ContextVar[Recorder | None] = contextvars.ContextVar("salt_g_recorder", default=None)


@contextlib.contextmanager
def recorded_by(recorder: Recorder | None) -> Iterator[None]:
    """Record changes with `recorder` during the block; None records nothing."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def before_change(place: DirectoryEntry) -> None:
    """Record an entry that is about to change."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.entry(place.parent, place.name)


def before_change_at(parent: int, name: str) -> None:
    """Record an entry of an open directory that is about to change."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.entry(parent, name)


def before_removal(place: DirectoryEntry) -> None:
    """Record an entry and everything below it before it is removed, moved or changed as a whole."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.tree(place.parent, place.name)


def before_link(place: DirectoryEntry) -> None:
    """Record a file that is about to get another hard link."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.linked(place.parent, place.name)


def before_temporary(parent: int, name: str) -> None:
    """Record a temporary file of an open directory that is about to be created."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.temporary(parent, name)


def before_change_elsewhere(paths: Iterable[str], *, tree: bool = False, follow: bool = False) -> None:
    """Record entries of a resource that are about to change; for the options, see `Recorder.elsewhere`."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.elsewhere(paths, tree=tree, follow=follow)


def before_service(
    name: str,
    *,
    is_running: bool | None = None,
    is_enabled: bool | None = None,
    is_masked: bool | None = None,
    is_runtime_masked: bool | None = None,
) -> None:
    """Record previous states of a service that are about to change; None means that one is unchanged."""
    recorder = _recorder.get()
    if recorder is None:
        return
    states = {
        "is_running": is_running,
        "is_enabled": is_enabled,
        "is_masked": is_masked,
        "is_runtime_masked": is_runtime_masked,
    }
    recorder.service(name, **{key: value for key, value in states.items() if value is not None})


def before_restart(name: str, how: str) -> None:
    """Record that a running service is restarted by the function `how` of `service`, such as `reload`."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.restart(name, how)


def is_recording() -> bool:
    """Return whether changes are recorded now."""
    return _recorder.get() is not None
