"""Where a file failed to render, read from the error of its renderer."""

from __future__ import annotations

import traceback
from typing import NamedTuple

from salt_g.errors import RenderError, YamlError


class Fault(NamedTuple):
    """Line (from 1, 0 if unknown) where a file failed, and what is probably wrong.

    With `is_rendered` it is one of the text that a template made. `path` is that of a template in which the
    file failed, '' for the file itself, and `used_at` the line that uses it.
    """

    line: int = 0
    is_rendered: bool = False
    path: str = ""
    used_at: int = 0
    advice: str = ""


def fault_of(exc: BaseException, path: str) -> Fault:
    """Return where the file at `path` failed."""
    advice = exc.advice if isinstance(exc, RenderError) else ""
    cause = exc.__cause__
    if isinstance(exc, RenderError) and exc.template is not None:
        other, line = exc.template
        return Fault(line, path="" if other == path else other, used_at=exc.used_at, advice=advice)
    if isinstance(cause, YamlError):
        from salt_g.render.yaml import about_form  # Imported lazily: few files have an error.

        return Fault(cause.line, is_rendered=True, advice=advice or about_form(cause))
    if isinstance(exc, RenderError) and exc.path == path and exc.line:
        return Fault(exc.line, advice=advice)
    return Fault(_line_in(exc if cause is None else cause, path) or _line_in(exc, path), advice=advice)


def _line_in(exc: BaseException, path: str) -> int:
    """Return the last line of a Python file in the traceback of an error, 0 if it is not there."""
    if isinstance(exc, SyntaxError) and exc.filename == path:
        return exc.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(exc.__traceback__) if frame.filename == path]
    return (lines[-1] or 0) if lines else 0
