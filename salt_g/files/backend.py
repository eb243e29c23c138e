"""Interface of file server backends.

Implemented by `roots.py`, `git.py`, `minionfs.py` and `plugin_backend.py`, and used by `backend_chain.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from salt_g.files.roots import FoundFile, Listing

if TYPE_CHECKING:
    from salt_g.git.verified_refs import RefusedRef


class Changed(NamedTuple):
    """Changes found by an update; the paths are empty if the backend does not know them.

    `refused` are all branches and tags that signed trees currently do not allow to advance.
    """

    changed: bool = False
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    refused: tuple[RefusedRef, ...] = ()


class Backend(Protocol):
    """A source of files."""

    name: str

    def envs(self) -> list[str]:
        """Return the environments, sorted."""

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return the file at a relative path, or None when it is missing or must not be served."""

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment, empty for an unknown one."""

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""


class Updates(Protocol):
    """An update that is repeated after a pause of `interval` seconds."""

    name: str
    interval: float

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Fetch changes of the given remotes (URLs or names); without any, of all that are due."""


class Updating(Backend, Updates, Protocol):
    """A backend that fetches from remotes."""

    def update_when_old(self) -> None:
        """Fetch changes unless another process has done so within the interval."""

    def clear_cache(self) -> list[str]:
        """Remove fetched data; return error lines for files that could not be removed."""

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Block updates; return (success lines, error lines)."""

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Permit updates again; return (success lines, error lines)."""


@runtime_checkable
class HasRemotes(Protocol):
    """A backend whose updates skip remotes that are not due, unless they are named."""

    def urls(self) -> list[str]:
        """Return the URLs of all remotes."""


class Verifying(Backend, Protocol):
    """A backend that serves only signed commits of signed trees, see `git/verified_refs.py`."""

    def refused(self) -> list[RefusedRef]:
        """Return the branches and tags whose fetched commit is refused."""

    def release(self, remote: str, name: str) -> bool:
        """Allow `branch/<name>` or `tag/<name>` one rollback; return False if no commit of it is served."""
