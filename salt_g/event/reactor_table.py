"""Reactor table: tags of events and the reactor files that they start.

The setting `reactor` is a list of mappings with one tag each, and every event is compared with all of them.
The setting is parsed once, and the table can be modified while the master runs.
Shapes: the setting is `[{tag glob: SLS or [SLS, ...]}, ...]`; a result is a list of SLS in the order of the
setting.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from salt_g.event.matching import Accepts, glob
from salt_g.shapes.loads import SetResult


@dataclasses.dataclass(frozen=True)
class _Row:
    tag: str
    files: tuple[str, ...]
    accepts: Accepts
    #: The entry as written in the setting.
    entry: dict[str, Any]


class ReactorTable:
    """Rows of the setting `reactor`; `problems` lists the rows that were skipped, and why."""

    def __init__(self, reactor: Sequence[Any]) -> None:
        self.problems: list[str] = []
        self._rows = [row for entry in reactor for row in self._read(entry)]

    def matching(self, tag: str) -> list[str]:
        """Return the reactor files of an event."""
        return [file for row in self._rows if row.accepts(tag) for file in row.files]

    def entries(self) -> list[dict[str, Any]]:
        """Return the rows in the form of the setting."""
        return [row.entry for row in self._rows]

    def add(self, tag: str, files: str | list[str]) -> SetResult:
        """Add a row; return the result of the runner `reactor.add`."""
        if any(row.tag == tag for row in self._rows):
            return {"status": False, "comment": "Reactor already exists."}
        added = self._read({tag: files})
        self._rows += added
        if not added:
            return {"status": False, "comment": self.problems.pop()}
        return {"status": True, "comment": "Reactor added."}

    def delete(self, tag: str) -> SetResult:
        """Remove the row of a tag; return the result of the runner `reactor.delete`."""
        for row in self._rows:
            if row.tag == tag:
                self._rows.remove(row)
                return {"status": True, "comment": "Reactor deleted."}
        return {"status": False, "comment": "Reactor does not exists."}

    def _read(self, entry: Any) -> list[_Row]:
        if not isinstance(entry, dict) or len(entry) != 1:
            self.problems.append(f"reactor: {entry!r} is not a mapping of one tag to its files")
            return []
        ((tag, value),) = entry.items()
        files = [value] if isinstance(value, str) else value
        if not isinstance(tag, str) or not isinstance(files, list) or not _all_text(files):
            self.problems.append(f"reactor: {tag!r} has {value!r}, expected an SLS file or a list of them")
            return []
        return [_Row(tag, tuple(files), glob(tag), entry)]


def _all_text(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)
