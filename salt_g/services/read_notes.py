"""Protocol of the record of what a state run reads, which `report/recording/reads.py` implements.

Shapes: names as in `report/recording/reads.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol


class ReadNotes(Protocol):
    """Record of what one state run reads."""

    #: SLS that is being rendered or run.
    owner: str
    #: Whether all names that templates read now are already known.
    is_known: bool

    @property
    def here(self) -> set[str]:
        """Names noted for the current SLS."""

    def name(self, name: str, owner: str | None = None) -> None:
        """Note a name, for the SLS being worked on unless another is given."""

    def path(self, path: str) -> None:
        """Note a path of pillar or grains that was looked up."""

    def whole(self, path: str) -> None:
        """Note that everything below a path was read."""

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Note a file of the file server, with the path of its cached copy."""

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Note the digest of a file, as its server reports it."""

    def content(self, cached: str, content: bytes) -> None:
        """Note the content that was read from a cached copy."""

    def outside(self) -> None:
        """Note that the rendering reads something besides the file tree, pillar and grains."""

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as a mapping that notes here which of its parts are read."""

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a context manager in which everything is noted for this SLS."""

    def paused(self) -> AbstractContextManager[None]:
        """Return a context manager in which nothing is noted."""

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Begin with the grains and pillar of the run, and the objects by which its calls hold them."""

    def sources(self, note: Callable[[], bool]) -> None:
        """Note the files that states name, by calling `note`, unless these files are known already."""

    def known(self, key: str, grains: object, pillar: object) -> ReadNotes | None:
        """Return the record for use inside a rendering that need not be observed, or None if it must be."""

    def is_as_known(self) -> bool:
        """Return whether the known rendering has imported the same files; otherwise it must be observed."""

    def rendering(
        self, owner: str, key: str | None, grains: object, pillar: object
    ) -> AbstractContextManager[object]:
        """Return a context manager in which the rendering of an SLS is observed."""
