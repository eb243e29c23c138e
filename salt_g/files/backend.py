"""What every backend of a file server answers.

Why its own file: the backends (`roots.py`, `git.py`, `minionfs.py`) know it, and so does what puts several of
them together (`backend_chain.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from salt_g.files.roots import Found, Listing


class Changed(NamedTuple):
    """What an update found; the paths where a backend can tell them."""

    changed: bool = False
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Backend(Protocol):
    """One source of files."""

    name: str

    def envs(self) -> list[str]:
        """Return the environments, sorted."""

    def find(self, path: str, saltenv: str) -> Found | None:
        """Return the file at a relative path, None when there is none or it may not be served."""

    def listing(self, saltenv: str) -> Listing:
        """Return everything in an environment; nothing for an unknown one."""

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """List anew at the next question; return the environments whose listings are forgotten."""


class Updates(Protocol):
    """What has to be brought up to date now and then, with a pause of `interval` seconds."""

    name: str
    interval: float

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Fetch what is new, of some remotes (URLs or names) or of all."""


class Updating(Backend, Updates, Protocol):
    """A backend that fetches."""

    def update_when_old(self) -> None:
        """Fetch what no process has fetched within the interval."""

    def clear_cache(self) -> list[str]:
        """Remove what was fetched; return what could not be removed, as lines."""

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Keep updates away; return the lines (done, failed)."""

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Let updates be done again; return the lines (done, failed)."""
