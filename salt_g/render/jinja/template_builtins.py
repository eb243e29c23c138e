"""Globals and tests of templates besides Jinja's own: `raise(...)`, `ifelse(...)`, `x is match('web.*')`."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any, NoReturn

from jinja2 import pass_context

from salt_g import api
from salt_g.render.jinja.filters.text import regex_flags


class TemplateError(Exception):
    """Error raised by `raise(...)`; the class name appears in the message."""


def raise_(msg: str) -> NoReturn:
    """Stop the rendering with a message."""
    raise TemplateError(msg)


@pass_context
def show_full_context(context: Any) -> Any:
    """Return the variables visible to a template; values other than plain data as their `repr`."""
    return _plain({name: context[name] for name in context.keys()})  # noqa: SIM118 - no mapping


def ifelse(*args: Any, tgt_type: str = "compound", minion_id: str | None = None, **merging: Any) -> Any:
    """Return the value after the first target that matches this minion: `ifelse('web*', 1, 2)`."""
    return api.call("match.ifelse", *args, tgt_type=tgt_type, minion_id=minion_id, **merging)


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_plain_key(key): _plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, (str, int, float, bool)) else repr(value)


def _plain_key(key: Any) -> Any:
    return key if key is None or isinstance(key, (str, int, float, bool)) else repr(key)


#: Functions by the name used in templates.
GLOBALS = {"raise": raise_, "odict": OrderedDict, "show_full_context": show_full_context, "ifelse": ifelse}


def is_match(text: str, rgx: str, ignorecase: bool = False, multiline: bool = False) -> bool:
    """Return whether the regular expression matches at the beginning of the text."""
    return bool(re.match(rgx, text, regex_flags(ignorecase, multiline)))


def is_equal(value: Any, other: Any) -> bool:
    """Return whether two values are equal."""
    return bool(value == other)


#: Functions by the name used in templates.
TESTS = {"match": is_match, "equalto": is_equal, "list": lambda value: isinstance(value, list)}
