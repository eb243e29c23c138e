"""The `yaml` renderer: text to data.

Errors: RenderError with the problem alone (scanner) or with its locations (parser, constructor), as in stock;
for a second document the YAML reader's own error.
"""

from __future__ import annotations

import functools
from typing import Any

from salt_g.errors import RenderError, YamlError
from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_load import load
from salt_g.process.offload import yield_to_hub
from salt_g.render.parsed_texts import ParsedTexts
from salt_g.render.request import RenderRequest


def render(text: str, request: RenderRequest) -> Any:
    """Parse YAML text; return {} for empty text."""
    try:
        return (_parsed_texts().get(text) if type(text) is str else _parse(text)) or {}
    except YamlError as exc:
        raise stock_error(exc, text) from exc


@functools.cache
def _parsed_texts() -> ParsedTexts:
    return ParsedTexts(_parse)


def _parse(text: str | bytes) -> Any:
    return load(text, mapping=Ordered, yield_to_hub=yield_to_hub)


def stock_error(exc: YamlError, text: str) -> Exception:
    """Return the error of stock's renderer for a YAML error in `text`, with advice about tabs."""
    if exc.stage in ("compose", "read") and exc.__cause__ is not None:
        # Not a RenderError, so that the caller reports it with its traceback, as stock does.
        return exc.__cause__.with_traceback(None) if isinstance(exc.__cause__, Exception) else exc
    if exc.stage == "scan":
        return RenderError(exc.problem, line=exc.line, advice=_about_tab(text, exc.line))
    return RenderError(str(exc), line=exc.line)


def _about_tab(text: str, line: int) -> str:
    """Return advice if a line (from 1) is indented with a tab, the most common error; else ''."""
    found = text.split("\n")[line - 1 : line] if line else []
    indentation = found[0][: len(found[0]) - len(found[0].lstrip())] if found else ""
    return f"line {line} is indented with a tab, use spaces" if "\t" in indentation else ""
