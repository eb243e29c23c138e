"""Errors of templates with their location, in stock's words.

Source: state language specification, section 2.5; conformance cases `render/*-error`.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping
from typing import Any

from jinja2.exceptions import (
    SecurityError,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
    UndefinedError,
)

from salt_g.errors import CommandExecutionError, InvocationError, RenderError
from salt_g.render.excerpt import excerpt, located_error
from salt_g.render.jinja.undefined import AdvisedText

#: Names that Jinja gives to the frames of templates in a traceback.
_TEMPLATE_FRAMES = ("top-level template code", "template", "<module>")
#: Prefix of the frame names of blocks, and file name of the template text itself.
_BLOCK, _OWN_TEXT = "block ", "<template>"


def explain(exc: Exception, text: str, variables: Mapping[str, Any], path: str) -> RenderError:
    """Return the error of a failed rendering of `text`."""
    if isinstance(exc, RenderError):
        return exc
    line, elsewhere = _place(exc, variables)
    message, trace = _message(exc, elsewhere)
    if trace and line:
        text = f"{text}\n{trace}"
    error = located_error(message, line=line, text=text, trace=trace, path=path)
    if isinstance(exc, UndefinedError) and isinstance(exc.message, AdvisedText):
        # Imported lazily: renderings that succeed do not need it.
        from salt_g.render.jinja.missing_keys import about_missing

        error.advice = exc.message.advice or about_missing(exc.message, variables)
    elif isinstance(exc, TemplateNotFound):
        error.advice = f"salt://{exc.name} does not exist"
    error.template, error.used_at = _template(exc, path)
    if data := getattr(exc, "data", None):
        _add_data_place(error, text, path, line, *data)
    return error


def _add_data_place(error: RenderError, text: str, path: str, tag_line: int, name: str, line: int) -> None:
    """Add the location of unreadable data of `import_yaml` (in its file) or `load_yaml` (below the tag)."""
    if name and line:
        error.advice = f"the error is in salt://{name}:{line}"
    elif not name and line and tag_line and error.template is None:
        between = text.splitlines()[tag_line : tag_line + line - 1]
        # If a block contains tags, its rendered text may have other lines.
        if not any("{%" in one for one in between):
            error.template = (path, tag_line + line - 1)


def _template(exc: Exception, path: str) -> tuple[tuple[str, int] | None, int]:
    """Return (path, line) of another template that failed, or None, and the line at `path` that uses it.

    For a block that overrides one of another template, return the overriding template, whereas stock names
    the overridden one.
    """
    found = [frame for frame in traceback.extract_tb(exc.__traceback__) if _is_of_template(frame.name)]
    frames = [(frame.filename, frame.lineno or 0) for frame in found]
    if isinstance(exc, TemplateSyntaxError) and exc.filename and os.path.exists(exc.filename):
        frames.append((exc.filename, exc.lineno))
    own = [line for filename, line in frames if filename in (path, _OWN_TEXT)]
    if not frames:
        return None, 0
    if frames[-1][0] in (path, _OWN_TEXT):
        is_block = bool(found) and found[-1].name.startswith(_BLOCK)
        return ((path, own[-1]) if is_block else None), 0
    return (frames[-1] if os.path.exists(frames[-1][0]) else None), (own[-1] if own else 0)


def _is_of_template(name: str) -> bool:
    return name in _TEMPLATE_FRAMES or name.startswith(_BLOCK)


def _message(exc: Exception, elsewhere: str) -> tuple[str, str]:
    """Return the message, and the traceback if the caller should see it, else ''."""
    if isinstance(exc, UndefinedError):
        return f"Jinja variable {exc}{elsewhere}", ""
    if isinstance(exc, (TemplateRuntimeError, TemplateSyntaxError, SecurityError)):
        return f"Jinja syntax error: {exc}{elsewhere}", ""
    if isinstance(exc, (InvocationError, CommandExecutionError)):
        return f"Problem running salt function in Jinja template: {exc}{elsewhere}", ""
    trace = "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))
    return f"Jinja error: {exc}{elsewhere}", trace


def _place(exc: Exception, variables: Mapping[str, Any]) -> tuple[int, str]:
    """Return the line in the template's text and '', or 0 and the lines around the error in another file."""
    frames = [frame for frame in traceback.extract_tb(exc.__traceback__) if frame.name in _TEMPLATE_FRAMES]
    if not frames:
        return 0, ""
    frame = frames[-1]
    line = frame.lineno or 0
    if not _is_other_file(frame.filename, variables):
        return line, ""
    with open(frame.filename, encoding="utf-8") as file:
        return 0, f"\n{frame.filename}({line}):\n{excerpt(file.read(), line)}"


def _is_other_file(filename: str, variables: Mapping[str, Any]) -> bool:
    """Return whether a frame belongs to an imported file.

    Stock's test: the file's name does not end in the name of the SLS. For an SLS `a` and a macro in
    `lib.jinja` the test mistakes the macro's line for one of the SLS (pinned by the case `error-in-import`).
    """
    if "sls" in variables:
        return not filename.endswith(str(variables["sls"]).replace(".", "/")) and os.path.exists(filename)
    return filename != "<unknown>" and os.path.exists(filename)
