"""Parser of function arguments from the words of a command line.

Shapes: `parse_words(["a", "n=1"]) -> (["a"], {"n": 1})`.
Source: stock reads each word as YAML with exceptions, so that `1`, `[a, b]` and `{k: v}` are
values while `a: b` and `- a` stay text; the tests record stock's result for each word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from salt_g.errors import UnknownKeywords, YamlError
from salt_g.loader.signature import Signature, signature_of
from salt_g.shapes import Arguments, CallArguments

#: Pattern of `name=value`; `==` is a comparison and not an assignment.
_KEYWORD = re.compile(r"([^\d\W][\w.-]*)=(?!=)(.*)\Z", re.S)
#: Pattern of words that YAML reads as the same text: without indicators, and neither numbers nor dates.
_PLAIN = re.compile(r"[A-Za-z/][\w./@%+=,-]*(?: [A-Za-z/][\w./@%+=,-]*)*\Z", re.A)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})\Z", re.A)
#: Whitespace other than spaces; a word that contains any is not parsed.
_UNPRINTED = re.compile(r"[\t\n\r\f\v]")
_WITH_UNDERSCORES = re.compile(r"\s*[0-9]*_[0-9_]*\s*\Z")
#: Spellings of an empty text.
_EMPTY = ('""', "''")
#: Plain words that YAML reads as a boolean or null.
_NAMED_VALUES = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
    "null": None,
}


def parse_words(words: Iterable[str], *, unparsed: Collection[str] = ()) -> CallArguments:
    """Return the positional and keyword arguments in `words`; values named in `unparsed` stay text."""
    args: list[Any] = []
    kwargs: Arguments = {}
    for word in words:
        keyword = _KEYWORD.match(word)
        if keyword is None:
            args.append(read_value(word))
        else:
            name, value = keyword.groups()
            kwargs[name] = value if name in unparsed else _keyword_value(name, value)
    return args, kwargs


def _keyword_value(name: str, value: str) -> Any:
    """Return the value of a keyword; only `pillar` may be a mapping of several lines."""
    return _read_yaml(value) if name == "pillar" and value.startswith("{") else read_value(value)


def read_value(word: str) -> Any:
    """Parse the value of a command line word."""
    if word == "None":
        return None
    if _PLAIN.match(word):
        return _named(word)
    if _INTEGER.match(word):
        return int(word)
    # A blank word, or a start or end mark of a YAML document.
    if word.strip() in ("", "---", "..."):
        return word
    return word if _UNPRINTED.search(word) else _read_yaml(word)


def _named(word: str) -> Any:
    """Return the value of a YAML constant (`true`, `True` or `TRUE`), and any other word unchanged."""
    if word in (word.lower(), word.capitalize(), word.upper()):
        return _NAMED_VALUES.get(word.lower(), word)
    return word


def _read_yaml(word: str) -> Any:
    from salt_g.formats import yaml_load

    # YAML ignores underscores in numbers.
    if _WITH_UNDERSCORES.match(word):
        return word
    try:
        value = yaml_load.load(word)
    except YamlError:
        return word
    if isinstance(value, (dict, list)):
        return value if word.startswith(("{", "[")) or "#" in word else word
    if value is None or isinstance(value, str):
        # A YAML comment is part of the text, and indicators (`|`, `!`) do not stand for an empty text.
        is_text = "#" in word or (value == "" and word.strip() not in _EMPTY)
        return word if is_text else value
    # An empty `!!binary` is not a value.
    return word if value == b"" else value


def fit(
    function: Callable[..., Any], args: list[Any], kwargs: Mapping[str, Any], *, published: Mapping[str, Any]
) -> CallArguments:
    """Return the arguments for calling `function`; `published` is passed to functions that take `**kwargs`.

    Raise UnknownKeywords, with the nearest parameter, for keywords that the function does not accept.
    """
    takes = signature_of(function)
    unknown = {name: value for name, value in kwargs.items() if not takes.accepts(name)}
    if unknown:
        raise UnknownKeywords(unknown, nearest=_nearest(unknown, takes))
    extra = {f"__pub_{name}": value for name, value in published.items()} if takes.takes_keywords else {}
    return args, {**kwargs, **extra}


def usage(name: str, function: Callable[..., Any]) -> str:
    """Return a usage line for a function: `cmd.run CMD [cwd=None] ...`."""
    takes = signature_of(function)
    words = [
        part.upper() if part in takes.required else f"[{part}={takes.defaults[part]!r}]"
        for part in takes.names
    ]
    if takes.takes_varargs:
        words.append("[ARG ...]")
    if takes.takes_keywords:
        words.append("[NAME=VALUE ...]")
    return " ".join([name, *words])


def _nearest(unknown: Iterable[str], takes: Signature) -> list[str]:
    import difflib

    return [near for name in unknown for near in difflib.get_close_matches(name.lower(), takes.names, n=1)]
