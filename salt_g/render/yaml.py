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

#: Probable causes of problems, by the beginning of the message, because libyaml has no error codes.
_CAUSES = {
    "found conflicting ID": "this ID or key occurs twice: rename one, or merge them",
    "unacceptable character": "a control character is not allowed here: write it as \\xNN in double quotes",
    "found unexpected end of stream": "a quote is opened but not closed",
    "mapping values are not allowed": "a colon inside a value, or wrong indentation: quote the value",
    "found character that cannot start": "a value begins with a character that YAML reserves: quote it",
    "did not find expected ','": "a bracket or brace is opened but not closed",
    "did not find expected key": "the indentation differs from that of the lines above",
    "did not find expected '-'": "a list and a mapping are mixed: check the indentation, or add a -",
    "could not determine a constructor": "a value begins with !: quote it",
    "found undefined alias": "a value begins with *: quote it, or write the anchor (&) before it",
    "found a duplicate anchor": "an anchor (&) occurs twice: rename one",
    "expected a single document": "a line --- begins a second document: remove it",
    "but found another document": "a line --- begins a second document: remove it",
}


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
        advice = _about_tab(text, exc.line) or about_form(exc)
        return RenderError(exc.problem, line=exc.line, advice=advice)
    return RenderError(str(exc), line=exc.line, advice=about_form(exc))


def _about_tab(text: str, line: int) -> str:
    """Return advice if a line (from 1) is indented with a tab, the most common error; else ''."""
    found = text.split("\n")[line - 1 : line] if line else []
    indentation = found[0][: len(found[0]) - len(found[0].lstrip())] if found else ""
    return f"line {line} is indented with a tab, use spaces" if "\t" in indentation else ""


def about_form(exc: YamlError) -> str:
    """Return the probable cause of an error, '' if unknown."""
    return next((cause for begin, cause in _CAUSES.items() if exc.problem.startswith(begin)), "")
