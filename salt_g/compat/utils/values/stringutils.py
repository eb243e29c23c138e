"""Stock's `salt.utils.stringutils`: conversion, matching and comparison of text."""

import contextlib
import difflib
import fnmatch
import re
import sys
import time
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from salt_g.render.jinja.filters.text import check_whitelist_blacklist as _check_lists
from salt_g.render.jinja.filters.text import contains_whitespace, human_to_bytes, is_hex, random_str, to_num
from salt_g.render.jinja.filters.text import to_camel_case as _to_camel_case
from salt_g.render.jinja.filters.text import to_snake_case as _to_snake_case

#: Maximum share of control characters in a text.
_MOST_CONTROL = 0.3
_TEXT_BYTES = bytes([*range(32, 127)]) + b"\n\r\t\f\b"


def to_str(
    s: Any, encoding: str | Sequence[str] | None = None, errors: str = "strict", normalize: bool = False
) -> str:
    """Return text unchanged and bytes decoded; several encodings are tried in turn (default: UTF-8).

    With `normalize`, text is in the Unicode form NFC.
    Raise TypeError for other values, UnicodeDecodeError for bytes that are valid in none of the encodings.
    """
    if isinstance(s, (bytes, bytearray)):
        s = _decoded(bytes(s), encoding, errors)
    elif not isinstance(s, str):
        raise TypeError(f"expected str, bytes, or bytearray not {type(s)}")
    return unicodedata.normalize("NFC", s) if normalize else str(s)


def to_bytes(s: Any, encoding: str | None = None, errors: str = "strict") -> bytes:
    """Return bytes unchanged and text encoded; raise TypeError for other values."""
    if isinstance(s, (bytes, bytearray)):
        return bytes(s)
    if not isinstance(s, str):
        raise TypeError(f"expected str, bytes, or bytearray not {type(s)}")
    return s.encode(encoding or "utf-8", errors)


def to_none(text: Any) -> Any:
    """Return None for blank text, else the value."""
    return text if str(text).strip() else None


def is_quoted(value: str) -> str:
    """Return the quote around a text, or '' if there is none."""
    is_in_quotes = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[0] if is_in_quotes else ""


def dequote(value: str) -> str:
    """Return a text without the quotes around it."""
    return value[1:-1] if is_quoted(value) else value


def is_binary(data: Any) -> bool:
    """Return whether data has a NUL byte, or too many control characters or bytes outside of ASCII.

    Non-ASCII characters in valid UTF-8 do not count.
    """
    if not data or not isinstance(data, (str, bytes, bytearray)):
        return False
    raw = to_bytes(data)
    with contextlib.suppress(UnicodeDecodeError):
        raw = re.sub(r"[^\x00-\x7f]", "", raw.decode()).encode() or b"x"
    other = raw.translate(None, _TEXT_BYTES)
    return b"\0" in raw or len(other) / len(raw) > _MOST_CONTROL


def expr_match(line: Any, expr: Any) -> bool:
    """Return whether the whole text matches a glob or a regular expression."""
    # Imported lazily: few plugins match names.
    from salt_g.regex.name_patterns import matches_name

    return isinstance(line, str) and isinstance(expr, str) and matches_name(line, expr)


def check_whitelist_blacklist(value: str, whitelist: Any = None, blacklist: Any = None) -> bool:
    """Return whether a text matches the whitelist, if there is one, and does not match the blacklist."""
    return _check_lists(value, whitelist, blacklist)


def check_include_exclude(path_str: str, include_pat: Any = None, exclude_pat: Any = None) -> bool:
    """Return whether the patterns (globs, or `E@` and a regular expression) include a path.

    With both kinds of patterns, a path must match the first and not the second.
    """
    is_wanted = _matches_any(path_str, include_pat)
    is_excluded = _matches_any(path_str, exclude_pat)
    if include_pat and exclude_pat:
        return is_wanted and not is_excluded
    return is_wanted if include_pat else not is_excluded


def build_whitespace_split_regex(text: str) -> str:
    """Return a regular expression that matches a text regardless of the amount of white space."""
    lines = ["".join(_pieces(line)) for line in text.splitlines()]
    if not lines:
        return "(?m)^$"
    return rf"(?m)^{''.join(lines)}(?:[\s]+)?$"


def random(size: int = 32) -> str:
    """Return a random text of `size` characters."""
    return random_str(size)


def camel_to_snake_case(camel_input: str) -> str:
    """Return `camel_case` for `camelCase`."""
    return _to_snake_case(camel_input)


def snake_to_camel_case(snake_input: str, uppercamel: bool = False) -> str:
    """Return `snakeCase` for `snake_case`."""
    return _to_camel_case(snake_input, uppercamel)


def print_cli(msg: str, retries: int = 10, step: float = 0.01) -> None:
    """Print a line; if the terminal is not ready, retry up to `retries` times every `step` (s)."""
    while True:
        try:
            sys.stdout.write(f"{msg}\n")
            return
        except BlockingIOError:
            retries -= 1
            if retries < 0:
                raise
            time.sleep(step)


def get_context(template: str, line: int, num_lines: int = 5, marker: str | None = None) -> str:
    """Return the lines around a line (from 1) of a template; `marker` is appended to that line."""
    lines = template.splitlines()
    first, last = max(line - num_lines - 1, 0), line + num_lines
    shown = lines[first:last]
    if marker and first < line <= len(lines):
        shown[line - 1 - first] += marker
    is_cut = (first > 0, last < len(lines))
    return "---\n{}\n---".format("\n".join([*(["[...]"] * is_cut[0]), *shown, *(["[...]"] * is_cut[1])]))


def get_diff_list(a: Iterable[Any], b: Iterable[Any], *args: Any, **kwargs: Any) -> list[str]:
    """Return the unified diff of two lists of lines, as a list."""
    before, after = ([to_str(line) for line in lines] for lines in (a, b))
    return list(difflib.unified_diff(before, after, *args, **kwargs))


def get_diff(a: Iterable[Any], b: Iterable[Any], *args: Any, **kwargs: Any) -> str:
    """Return the unified diff of two lists of lines, as one text."""
    return "".join(get_diff_list(a, b, *args, **kwargs))


def get_conditional_diff(
    a: Iterable[Any],
    b: Iterable[Any],
    *args: Any,
    ignore_ordering: bool = True,
    ignore_whitespace: bool = True,
    ignore_comment_characters: Any = "#",
    **kwargs: Any,
) -> tuple[bool, str]:
    """Return (whether two lists of lines differ in more than what is ignored, their unified diff)."""
    # Imported lazily: few plugins compare texts.
    from salt_g.data.text_diff import differs_in_substance

    marks = ignore_comment_characters or ()
    lines = get_diff_list(a, b, *args, **kwargs)
    counts = bool(lines)
    if ignore_ordering or ignore_whitespace or marks:
        counts = differs_in_substance(
            lines, ignore_whitespace=ignore_whitespace, ignore_comment_characters=tuple(marks)
        )
    return counts, "".join(lines)


def _decoded(data: bytes, encoding: str | Sequence[str] | None, errors: str) -> str:
    encodings = [encoding] if isinstance(encoding, str) else list(encoding or ["utf-8"])
    for place, name in enumerate(encodings, 1):
        try:
            return data.decode(name, errors)
        except UnicodeDecodeError:
            if place == len(encodings):
                raise
    raise ValueError("no encoding is given")


def _matches_any(text: str, patterns: Any) -> bool:
    listed = [patterns] if isinstance(patterns, str) else list(patterns or ())
    return any(
        re.search(pattern[2:], text) is not None
        if pattern.startswith("E@")
        else fnmatch.fnmatch(text, pattern)
        for pattern in listed
    )


def _pieces(line: str) -> Iterable[str]:
    words = re.split(r"\s+", line.strip())
    return (rf"(?:[\s]+)?{re.escape(word)}" for word in words if word)


to_unicode = to_str

__all__ = ["build_whitespace_split_regex", "camel_to_snake_case", "check_include_exclude"]
__all__ += [
    "check_whitelist_blacklist",
    "contains_whitespace",
    "dequote",
    "expr_match",
    "get_conditional_diff",
]
__all__ += ["get_context", "get_diff", "get_diff_list", "human_to_bytes", "is_binary", "is_hex", "is_quoted"]
__all__ += ["print_cli", "random", "snake_to_camel_case", "to_bytes", "to_none", "to_num", "to_str"]
__all__ += ["to_unicode"]
