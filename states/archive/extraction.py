"""Record of one extraction, passed through all of its steps."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from salt_g.formats.urls import without_password
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome

Contents = dict[str, list[str]]


@dataclasses.dataclass
class Extraction:
    """Arguments of `archive.extracted` and, after the blank line, results of its steps.

    `name` ends with a slash after the checks; `display` is the source without secrets.
    """

    name: Any
    source: Any
    source_hash: Any
    source_hash_name: str | None
    source_hash_update: bool
    skip_files_list_verify: bool
    skip_verify: bool
    password: str | None
    options: Any
    list_options: str | None
    force: bool
    overwrite: bool
    clean: bool
    clean_parent: bool
    user: str | None
    group: str | None
    if_missing: Any
    trim_output: Any
    use_cmd_unzip: bool | None
    extract_perms: bool
    enforce_toplevel: bool
    enforce_ownership_on: Any
    archive_format: str | None
    use_etag: bool
    signature: Any
    source_hash_sig: Any
    keep_source: bool
    verify: dict[str, Any]
    further: dict[str, Any]

    asked: str = ""
    saltenv: str = "base"
    is_local: bool = False
    cached: str = ""
    uid: int = -1
    gid: int = -1
    source_sum: dict[str, str] = dataclasses.field(default_factory=dict)
    #: Hash of the archive that was unpacked last, and of the one at hand if it is to be stored.
    known_sum: dict[str, str] | None = None
    current_sum: dict[str, str] | None = None
    contents: Contents = dataclasses.field(default_factory=dict)
    changes: dict[str, Any] = dataclasses.field(default_factory=dict)
    warnings: list[str] = dataclasses.field(default_factory=list)

    @property
    def display(self) -> str:
        """Source with the password in its URL hidden."""
        return without_password(str(self.source))

    def path(self, member: str) -> str:
        """Return the destination of an archive member."""
        return os.path.join(self.name, member)

    def ends(self, result: bool | None, comment: str) -> StateReturn:
        """Return the state return, with the changes and warnings so far."""
        extra = {"warnings": self.warnings} if self.warnings else {}
        return outcome(self.asked, result, comment, self.changes, **extra)


class ExtractionEnded(Exception):
    """Early end of the state, with result and comment."""

    def __init__(self, result: bool | None, comment: str) -> None:
        self.result = result
        self.comment = comment
        super().__init__(comment)


def refuse(comment: str) -> ExtractionEnded:
    """Return the exception that ends the state as failed."""
    return ExtractionEnded(False, comment)
