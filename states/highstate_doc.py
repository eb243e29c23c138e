"""Notes in the document of `highstate_doc.render`; they change nothing."""

from __future__ import annotations

from typing import Any

from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted


def note(name: str, source: str | None = None, contents: str | None = None, **kwargs: Any) -> StateReturn:
    """Add text to the document, at the position of this state among the others.

    source
        File of the file server with the text.
    contents
        The text, after that of `source`.

    Example::

        salt-g state.single highstate_doc.note example contents='a text'
    """
    lines = [f"include file: {source}"] if source else []
    return as_wanted(name, "\n".join([*lines, *([contents] if contents else [])]))
