"""The hook through which changes of files and services are recorded before they happen.

Every function of this package and every writer of `process/disk.py` calls it with the entry that it is about
to change. While nobody records, that is one look-up. The recorder belongs to the running chunk of a state run
(`state/undo/journal.py`), also in the threads and greenlets that it starts.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from salt_g.safe_files.links import Place

    class Recorder(Protocol):
        """Record of what was there before a change; it raises nothing and keeps the first state of each."""

        def entry(self, parent: int, name: str) -> None:
            """Record an entry of an open directory: content, link, owner, mode, or that there is none."""

        def tree(self, parent: int, name: str) -> None:
            """Record an entry and all below it."""

        def linked(self, parent: int, name: str) -> None:
            """Record a file that gets a further name, through which it may change later."""

        def temporary(self, parent: int, name: str) -> None:
            """Record a file that is there only until it gets its name; a kill leaves it behind."""

        def elsewhere(self, paths: Iterable[str], *, tree: bool, follow: bool) -> None:
            """Record entries of the resource of the call, with `tree` all below them too."""

        def service(self, name: str, **states: bool | None) -> None:
            """Record a service, by those keywords of `before_service` that change."""

        def restart(self, name: str, how: str) -> None:
            """Record that a running service is restarted, or loads its files again."""


_recorder: contextvars.ContextVar[Recorder | None] = contextvars.ContextVar("salt_g_recorder", default=None)


@contextlib.contextmanager
def recorded_by(recorder: Recorder | None) -> Iterator[None]:
    """Record the changes of the body."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def before_change(place: Place) -> None:
    """Record an entry that is about to change."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.entry(place.parent, place.name)


def before_change_at(parent: int, name: str) -> None:
    """Record an entry of an open directory that is about to change."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.entry(parent, name)


def before_removal(place: Place) -> None:
    """Record an entry and all below it, which is about to be removed, moved or changed as a whole."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.tree(place.parent, place.name)


def before_link(place: Place) -> None:
    """Record a file that is about to get a further name."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.linked(place.parent, place.name)


def before_temporary(parent: int, name: str) -> None:
    """Record a temporary file of an open directory that is about to be created."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.temporary(parent, name)


def before_change_elsewhere(paths: Iterable[str], *, tree: bool = False, follow: bool = False) -> None:
    """Record entries of a resource that are about to change; `follow`: what a link leads to."""
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
    """Record the state of a service that is about to change; None for what does not."""
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
    """Record that a running service is restarted; `how` is the function of `service`, such as `reload`."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.restart(name, how)


def is_recording() -> bool:
    """Return whether changes are recorded now."""
    return _recorder.get() is not None
