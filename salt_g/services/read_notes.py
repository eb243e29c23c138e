"""Record of what a state run reads, as the parts of a call see it; `report/recording/reads.py` is the one.

Shapes: names as in `report/recording/reads.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol


class ReadNotes(Protocol):
    """Record of one run."""

    #: SLS being worked on.
    owner: str
    #: Whether all names that templates read here are known already.
    is_known: bool

    @property
    def here(self) -> set[str]:
        """Names that are noted for it."""

    def name(self, name: str, owner: str | None = None) -> None:
        """Note a name, for the SLS being worked on unless another is given."""

    def path(self, path: str) -> None:
        """Note a path of pillar or grains that was looked up."""

    def whole(self, path: str) -> None:
        """Note that all below a path was read."""

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Note a file of the file server, with the path of its cached copy."""

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Note the digest of a file, as its server reports it."""

    def content(self, cached: str, content: bytes) -> None:
        """Note what was read of a cached copy."""

    def outside(self) -> None:
        """Note that the rendering reads something besides the tree, pillar and grains."""

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as a mapping that notes here what is read of it."""

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Note for an SLS during a block."""

    def paused(self) -> AbstractContextManager[None]:
        """Note nothing during a block."""

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Take the data of the run, and the objects by which its calls hold them."""

    def sources(self, note: Callable[[], bool]) -> None:
        """Note the files that states name, by a function, unless they are known."""

    def known(self, key: str, grains: object, pillar: object) -> ReadNotes | None:
        """Return the record inside of a rendering that need not be observed, or None for another one."""

    def is_as_known(self) -> bool:
        """Return whether that rendering has imported what is known of it; else it is to be observed."""

    def rendering(
        self, owner: str, key: str | None, grains: object, pillar: object
    ) -> AbstractContextManager[object]:
        """Return the block of a rendering for an SLS that is observed."""
