"""What a renderer is told besides the data: whose text it is and which tools it may use."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from salt_g.services import FileAccess
from salt_g.shapes import Opts


@dataclasses.dataclass(frozen=True)
class Request:
    """One rendering.

    `path` is the file of the text, '' for text from elsewhere; `argline` what stands behind
    the renderer's name in the pipe; `variables` what the caller adds to the template's
    variables; they win over the common ones.
    """

    opts: Opts
    files: FileAccess
    saltenv: str = "base"
    sls: str = ""
    path: str = ""
    argline: str = ""
    variables: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def with_argline(self, argline: str) -> Request:
        """Return the same request for another step of the pipe."""
        return dataclasses.replace(self, argline=argline)
