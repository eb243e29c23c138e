"""Node of the dependency graph: one low chunk."""

from __future__ import annotations

from salt_g.shapes import LowChunk


class Node:
    """Chunk in the graph; `needs` and `wanted_by` are {other node: [kinds]}, as declared."""

    __slots__ = ("is_preview", "low", "may_aggregate", "needs", "preview", "tag", "wanted_by")

    def __init__(
        self, low: LowChunk, *, tag: str, is_preview: bool = False, may_aggregate: bool = False
    ) -> None:
        self.low = low
        self.tag = tag
        self.is_preview = is_preview
        self.may_aggregate = may_aggregate
        self.preview: Node | None = None
        self.needs: dict[Node, list[str]] = {}
        self.wanted_by: dict[Node, list[str]] = {}

    def need(self, other: Node, kind: str) -> None:
        """Make this chunk wait for another."""
        kinds = self.needs.setdefault(other, [])
        if kind not in kinds:
            kinds.append(kind)
            other.wanted_by.setdefault(self, kinds)

    def drop(self, other: Node, kind: str) -> None:
        """Remove the dependency of this `kind` on another chunk."""
        kinds = self.needs[other]
        kinds.remove(kind)
        if not kinds:
            del self.needs[other]
            del other.wanted_by[self]

    def __repr__(self) -> str:
        return f"<{'preview of ' if self.is_preview else ''}{self.tag}>"
