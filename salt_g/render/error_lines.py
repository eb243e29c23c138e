"""Location of a failed rendering, from the error of its renderer."""

from __future__ import annotations

import json
import re
import traceback
from typing import NamedTuple

from salt_g.errors import RenderError, YamlError

#: Pattern of Jinja's message about the import of a name that the template does not have.
_IMPORTED = re.compile(r"\(imported on line (\d+)\) does not export")


class Fault(NamedTuple):
    """Line (from 1, 0 if unknown) where a file failed, and what is probably wrong.

    With `is_rendered`, it is a line of the text that a template rendered. `path` is the path of the
    template that failed, '' for the file itself, and `used_at` the line of the file that uses the template.
    """

    line: int = 0
    is_rendered: bool = False
    path: str = ""
    used_at: int = 0
    advice: str = ""


def fault_of(exc: BaseException, path: str) -> Fault:
    """Return the location at which rendering the file at `path` failed."""
    if isinstance(exc, RenderError) and (exc.template is not None or exc.path == path):
        fault = _of_template(exc, path)
        if fault.line:
            return fault
    cause = exc.__cause__
    advice = exc.advice if isinstance(exc, RenderError) else ""
    if isinstance(cause, YamlError):
        from salt_g.render.yaml import about_form  # Imported lazily: few files have an error.

        # The parser notices an unclosed construct only after its line, so prefer the line that opens it.
        line = cause.opened or cause.line
        return Fault(line, is_rendered=True, advice=advice or about_form(cause))
    if isinstance(exc, json.JSONDecodeError):
        pipe, is_template = _pipe_of(path)
        return Fault(exc.lineno + bool(pipe), is_rendered=is_template)
    if isinstance(exc, RenderError) and exc.line and not exc.path:
        return Fault(exc.line, is_rendered=True, advice=advice)
    inner = exc if cause is None else cause
    # Errors of templates carry their path, because their cause may be in data of another file.
    is_of_data = not (isinstance(exc, RenderError) and exc.path)
    line = (is_of_data and _line_of_data(inner, path)) or _line_in(inner, path) or _line_in(exc, path)
    return Fault(line, advice=advice)


def _of_template(exc: RenderError, path: str) -> Fault:
    """Return where a template failed: in the file at `path`, or in one that it uses."""
    other, line = exc.template or (path, exc.line)
    # The import of a name that a template lacks fails only where the name is used.
    if imported := _IMPORTED.search(str(exc)):
        line = int(imported[1])
    return Fault(line, path="" if other == path else other, used_at=exc.used_at, advice=exc.advice)


def _line_of_data(exc: BaseException, path: str) -> int:
    """Return the line of invalid UTF-8 or TOML in a file; 0 if unknown or if a template made the text."""
    if isinstance(exc, UnicodeDecodeError):
        return exc.object[: exc.start].count(b"\n") + 1
    line = getattr(exc, "lineno", 0) if isinstance(exc, ValueError) else 0
    if not line:
        return 0
    pipe, is_template = _pipe_of(path)
    # Data renderers get the text without the `#!` line.
    return 0 if is_template else int(line) + bool(pipe)


def _pipe_of(path: str) -> tuple[str, bool]:
    """Return a file's `#!` line, "" if it has none, and whether a template seems to be rendered first."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return "", False
    if not text.startswith("#!"):
        return "", "{{" in text or "{%" in text
    pipe = text.partition("\n")[0]
    return pipe, "|" in pipe


def _line_in(exc: BaseException, path: str) -> int:
    """Return the last line of a Python file in an error's traceback, 0 if the file is not in it."""
    if isinstance(exc, SyntaxError) and exc.filename == path:
        return exc.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(exc.__traceback__) if frame.filename == path]
    return (lines[-1] or 0) if lines else 0
