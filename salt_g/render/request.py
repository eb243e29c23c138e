"""Input of a renderer besides the data: the origin of the text and the services it may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess


class RenderRequest(NamedTuple):
    """One rendering.

    `path` is the file of the text, '' for other text; `argline` is the text after the renderer's name in the
    pipe; `variables` are the caller's additions to the template's variables and override the common ones.
    """

    opts: Opts
    files: FileAccess
    saltenv: str = "base"
    sls: str = ""
    path: str = ""
    argline: str = ""
    variables: Mapping[str, Any] = {}

    def with_argline(self, argline: str) -> RenderRequest:
        """Return a copy for another step of the pipe."""
        return self._replace(argline=argline)
