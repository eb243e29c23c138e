"""Filters for text: regular expressions, case, numbers, sizes, truth.

Arguments that a template may give by name have stock's names (`rgx`, `val`), in all files of this package.
"""

from __future__ import annotations

import base64
import logging
import os
import re
import shlex
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from salt_g.process import secret_hiding
from salt_g.regex.name_patterns import matches_name

log = logging.getLogger(__name__)

#: Namespace of the `uuid` filter.
_NAMESPACE = "91633EBF-1C86-5E33-935A-28061F4B480E"
#: First letters of size units; the index of each is its exponent.
_UNITS = "bkmgtpezy"


def regex_flags(ignorecase: bool, multiline: bool) -> re.RegexFlag:
    """Return the flags of a regular expression."""
    flags = re.RegexFlag(0)
    if ignorecase:
        flags |= re.I
    return flags | re.M if multiline else flags


def regex_search(text: str, rgx: str, ignorecase: bool = False, multiline: bool = False) -> Any:
    """Return the groups of the first match anywhere, a tuple of the whole match if it has none, or None."""
    return _groups(re.search(rgx, text, regex_flags(ignorecase, multiline)))


def regex_match(text: str, rgx: str, ignorecase: bool = False, multiline: bool = False) -> Any:
    """Return the groups of a match at the beginning, a tuple of the whole match if it has none, or None."""
    return _groups(re.match(rgx, text, regex_flags(ignorecase, multiline)))


def regex_replace(text: str, rgx: str, val: str, ignorecase: bool = False, multiline: bool = False) -> str:
    """Return the text with every match replaced."""
    return re.sub(rgx, val, text, flags=regex_flags(ignorecase, multiline))


def to_uuid(text: str) -> str:
    """Return the text's UUID, always the same for the same text."""
    import uuid  # Imported lazily: 3 ms at every state run for a rarely used filter.

    return str(uuid.uuid5(uuid.UUID(_NAMESPACE), text))


def to_bool(value: Any) -> bool:
    """Return whether a value is True, `yes`, `1`, `true`, an integer above 0, or a non-empty list or dict."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.lower() in ("yes", "1", "true")
    if isinstance(value, int):
        return value > 0
    return bool(value) if not isinstance(value, Hashable) else False


def to_num(text: Any) -> Any:
    """Convert a text to a number if possible, else return it unchanged."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def is_hex(text: Any) -> bool:
    """Return whether a text is a hexadecimal number."""
    try:
        int(text, 16)
    except (TypeError, ValueError):
        return False
    return True


def human_to_bytes(size: Any, default_unit: str = "B", handle_metric: bool = False) -> int:
    """Return the bytes of a size like `2.5MiB` or `1 G`; 0 if it cannot be parsed.

    `GB` is the same as `GiB`, unless `handle_metric` is set.
    """
    found = re.match(r"([0-9.]*)\s*(.*)$", str(size).strip())
    value, unit = found.groups() if found else ("", "")
    number, unit = to_num(value), (unit or default_unit).lower()
    if isinstance(number, str) or not re.match(r"(b|[kmgtpezy](i?b)?)$", unit):
        return 0
    power = _UNITS.index(unit[0])
    is_decimal = handle_metric and unit in {f"{letter}b" for letter in _UNITS[1:]}
    return int(number * (10 ** (power * 3) if is_decimal else 2 ** (power * 10)))


def to_snake_case(text: str) -> str:
    """Convert `CamelCaseWord` to `camel_case_word`."""
    result = text[0].lower()
    for at, letter in enumerate(text[1:], 1):
        starts_word = text[at - 1].islower() or (at != len(text) - 1 and text[at + 1].islower())
        if letter.isupper() and starts_word:
            result += "_"
        result += letter.lower()
    return result


def to_camel_case(text: str, uppercamel: bool = False) -> str:
    """Convert `snake_case_word` to `snakeCaseWord`."""
    first, *others = text.split("_")
    return (first.capitalize() if uppercamel else first) + "".join(word.capitalize() for word in others)


def contains_whitespace(text: str) -> bool:
    """Return whether the text contains a blank, tab or line end."""
    return any(char.isspace() for char in text)


def substring_in_list(text: str, list_to_search: Iterable[str]) -> bool:
    """Return whether one of the items contains the text."""
    return any(text in item for item in list_to_search)


def check_whitelist_blacklist(value: str, whitelist: Any = None, blacklist: Any = None) -> bool:
    """Return whether the lists (of globs and regular expressions) allow the value."""
    allowed, refused = _patterns(whitelist, "whitelist"), _patterns(blacklist, "blacklist")
    if refused and any(_matches(value, pattern) for pattern in refused):
        return False
    return not allowed or any(_matches(value, pattern) for pattern in allowed)


def indent(
    s: Any, width: int | str = 4, first: bool = False, blank: bool = False, indentfirst: bool | None = None
) -> Any:
    """Return a text with its lines indented; `indentfirst` is the older name of `first`."""
    from jinja2.filters import do_indent  # Imported lazily: this file also serves users' plugins.

    return do_indent(s, width, first if indentfirst is None else indentfirst, blank)


def to_bytes(value: Any, encoding: str | None = None, errors: str = "strict") -> bytes:
    """Encode text as bytes; return bytes unchanged; raise TypeError for other values."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode(encoding or "utf-8", errors)
    raise TypeError(f"expected str, bytes, or bytearray not {type(value)}")


def method_call(value: Any, f_name: str, *args: Any, **kwargs: Any) -> Any:
    """Return the result of calling a method of the value, or None if it has no such method."""
    return getattr(value, f_name, lambda *_args, **_kwargs: None)(*args, **kwargs)


def random_str(size: int = 32) -> str:
    """Return a random text of `size` characters."""
    return base64.b64encode(os.urandom(size)).decode("ascii")[:size]


def secret(value: Any, label: str = secret_hiding.NO_LABEL) -> Any:
    """Return a value that is hidden in all output from now on, as `<secret:label>`.

    For a value in pillar, its path is the label.
    """
    secret_hiding.note(value, label)
    return value


def _groups(found: re.Match[str] | None) -> Any:
    if found is None:
        return None
    return found.groups() or (found.group(),)


def _patterns(value: Any, name: str) -> list[str]:
    if not value:
        return []
    if isinstance(value, str):
        return [value]
    if not hasattr(value, "__iter__"):
        raise TypeError(f"Expecting iterable {name}, but got {type(value).__name__} ({value})")
    return list(value)


def _matches(value: Any, pattern: Any) -> bool:
    try:
        return matches_name(value, pattern)
    except TypeError:
        log.error("value %r or expression %r is not a string", value, pattern)
        return False


FILTERS: dict[str, Callable[..., Any]] = {
    "regex_search": regex_search,
    "regex_match": regex_match,
    "regex_replace": regex_replace,
    "regex_escape": re.escape,
    "quote": shlex.quote,
    "uuid": to_uuid,
    "skip": lambda value: "",
    "to_bool": to_bool,
    "to_num": to_num,
    "str_to_num": to_num,
    "is_hex": is_hex,
    "human_to_bytes": human_to_bytes,
    "to_snake_case": to_snake_case,
    "to_camelcase": to_camel_case,
    "contains_whitespace": contains_whitespace,
    "substring_in_list": substring_in_list,
    "check_whitelist_blacklist": check_whitelist_blacklist,
    "to_bytes": to_bytes,
    "indent": indent,
    "method_call": method_call,
}
VOLATILE: dict[str, Callable[..., Any]] = {"random_str": random_str}
#: Filters that return their argument but have an effect in each rendering.
SECRET: dict[str, Callable[..., Any]] = {"secret": secret}
