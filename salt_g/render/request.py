"""What a renderer is told besides the data: whose text it is and which tools it may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.plugin_services import FileAccess
from salt_g.shapes import Opts


class RenderRequest(NamedTuple):
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
    variables: Mapping[str, Any] = {}

    def with_argline(self, argline: str) -> RenderRequest:
        """Return the same request for another step of the pipe."""
        return self._replace(argline=argline)
