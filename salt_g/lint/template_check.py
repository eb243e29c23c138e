"""Syntax of the Jinja templates that states manage as files; they are compiled, not rendered."""

from __future__ import annotations

from typing import NamedTuple

from jinja2.exceptions import TemplateSyntaxError

from salt_g.render.jinja.environment import Environment


class BrokenTemplate(NamedTuple):
    """Error of a template, and its line (from 1)."""

    message: str
    line: int


def broken_template(path: str) -> BrokenTemplate | None:
    """Return the first error of the template at `path`; None if it compiles, is not text or is unreadable."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return None
    try:
        # Parsing alone accepts filters and tests that do not exist.
        Environment(()).compile(text)
    except TemplateSyntaxError as exc:
        return BrokenTemplate(f"Jinja syntax error: {exc.message}", exc.lineno)
    return None
