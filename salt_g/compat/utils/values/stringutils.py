"""Stock's `salt.utils.stringutils`."""

import os
import re
from typing import Any

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([BKMGTPEZY])(i?B)?)?", re.IGNORECASE)


def to_str(value: Any, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Return text for text or bytes."""
    return value.decode(encoding, errors) if isinstance(value, (bytes, bytearray)) else str(value)


def to_bytes(value: Any, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """Return bytes for text or bytes."""
    return value.encode(encoding, errors) if isinstance(value, str) else bytes(value)


def to_num(text: str) -> Any:
    """Return the number that a text spells, else the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def to_none(text: Any) -> Any:
    """Return None for the texts `none` and '', else the value."""
    return None if str(text).lower() in ("none", "") else text


def is_quoted(value: str) -> str:
    """Return the quote around a text, or '' if there is none."""
    is_in_quotes = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[0] if is_in_quotes else ""


def dequote(value: str) -> str:
    """Return a text without the quotes around it."""
    return value[1:-1] if is_quoted(value) else value


def is_hex(value: str) -> bool:
    """Return whether a text is a hexadecimal number."""
    try:
        int(value, 16)
    except (TypeError, ValueError):
        return False
    return True


def is_binary(data: Any) -> bool:
    """Return whether data contains bytes that text does not."""
    # Imported lazily: few plugins look into data.
    from salt_g.data import text_diff

    return bool(data) and text_diff.is_binary(to_bytes(data))


def expr_match(line: str, expr: str) -> bool:
    """Return whether the whole text matches a glob or a regular expression."""
    # Imported lazily: few plugins match names.
    from salt_g.regex.name_patterns import matches_name

    return matches_name(line, expr)


def check_whitelist_blacklist(value: str, whitelist: Any = None, blacklist: Any = None) -> bool:
    """Return whether a text matches the whitelist, if there is one, and does not match the blacklist."""
    lists = [[names] if isinstance(names, str) else list(names or ()) for names in (whitelist, blacklist)]
    if any(expr_match(value, expr) for expr in lists[1]):
        return False
    return not lists[0] or any(expr_match(value, expr) for expr in lists[0])


def random() -> str:
    """Return a random text of 64 hexadecimal digits."""
    return os.urandom(32).hex()


def human_to_bytes(size: Any, default_unit: str = "B", handle_metric: bool = False) -> int:
    """Return a size such as `2G`, `30MB`, `64KiB` in bytes, or 0 for other texts.

    A unit counts 1024 of the next smaller one; with `handle_metric`, `kB`, `MB`, ... count 1000.
    """
    found = _SIZE.fullmatch(str(size).strip())
    if found is None:
        return 0
    letter, ending = (found[2] or default_unit).upper(), (found[3] or "").lower()
    step = 1000 if handle_metric and ending == "b" else 1024
    return int(float(found[1]) * step ** "BKMGTPEZY".index(letter))


to_unicode = to_str

__all__ = ["check_whitelist_blacklist", "dequote", "expr_match", "human_to_bytes", "is_binary", "is_hex"]
__all__ += ["is_quoted", "random"]
__all__ += ["to_bytes", "to_none", "to_num", "to_str", "to_unicode"]
