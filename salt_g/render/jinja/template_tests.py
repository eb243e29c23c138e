"""Template tests in addition to Jinja's own: `x is match('web.*')`."""

from __future__ import annotations

import re
from typing import Any

from salt_g.render.jinja.filters.text import regex_flags


def is_match(text: str, rgx: str, ignorecase: bool = False, multiline: bool = False) -> bool:
    """Return whether the regular expression matches at the beginning of the text."""
    return bool(re.match(rgx, text, regex_flags(ignorecase, multiline)))


def is_equal(value: Any, other: Any) -> bool:
    """Return whether two values are equal."""
    return bool(value == other)


#: Functions by the name used in templates.
TESTS = {"match": is_match, "equalto": is_equal, "list": lambda value: isinstance(value, list)}
