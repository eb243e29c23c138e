"""Tags and values of plain YAML scalars.

The rules are YAML 1.1 with stock's exceptions (`0644` is the number 644, a date stays text), for all parsers.

Errors: ValueError when a value does not match its (explicit) tag.
Source: https://yaml.org/type/, as PyYAML reads it; conformance case `yaml/scalars`.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any

NULL = "tag:yaml.org,2002:null"
BOOL = "tag:yaml.org,2002:bool"
INT = "tag:yaml.org,2002:int"
FLOAT = "tag:yaml.org,2002:float"
BINARY = "tag:yaml.org,2002:binary"
TIMESTAMP = "tag:yaml.org,2002:timestamp"
STR = "tag:yaml.org,2002:str"
MERGE = "tag:yaml.org,2002:merge"
VALUE = "tag:yaml.org,2002:value"

_TRUE = ("yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
_FALSE = ("no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
_BOOLS = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}
#: Words that are not text, with their tag.
_WORDS = {
    **dict.fromkeys(_BOOLS, BOOL),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), NULL),
    "<<": MERGE,
    "=": VALUE,
}
#: Characters with which a number can begin.
_NUMBER_STARTS = frozenset("-+.0123456789")
_INT = (
    r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+"
    r"|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
)
_FLOAT = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_TIMESTAMP = (
    r"\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?"
    r"(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?"
)


@functools.cache
def _form(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """Return the `fullmatch` of a pattern, compiled at first use because few documents need it."""
    return re.compile(pattern, re.ASCII).fullmatch


def tag_of(text: str) -> str:
    """Return the tag of a plain (unquoted, untagged) scalar."""
    word = _WORDS.get(text)
    if word is not None:
        return word
    if text[0] in _NUMBER_STARTS:
        if _form(_INT)(text):
            return INT
        if _form(_FLOAT)(text):
            return FLOAT
    return STR


def written_tag_of(text: str) -> str:
    """Return the tag that YAML 1.1 readers assign to a plain scalar, including dates."""
    tag = tag_of(text)
    return TIMESTAMP if tag is STR and text[0].isdigit() and _form(_TIMESTAMP)(text) else tag


def read_bool(text: str) -> bool:
    """Parse a boolean word of YAML 1.1."""
    try:
        return _BOOLS[text] if text in _BOOLS else _BOOLS[text.lower()]
    except KeyError:
        raise ValueError(f"{text!r} is not a boolean") from None


def read_int(text: str) -> int:
    """Parse an integer; leading zeros make it octal only after a sign (`+017`)."""
    digits = _without_zeros(text).replace("_", "")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    if digits.startswith(("0b", "0x")):
        return sign * int(digits, 0)
    if ":" in digits:
        return sign * int(_base_60(digits, int))
    if digits != "0" and digits.startswith("0"):
        return sign * int(digits, 8)
    return sign * int(digits)


def read_float(text: str) -> float:
    """Parse a float, including base 60 (`1:30.5`), `.inf` and `.nan`."""
    digits = text.replace("_", "").lower()
    sign = -1.0 if digits.startswith("-") else 1.0
    digits = digits.lstrip("+-")
    if digits == ".inf":
        return sign * math.inf
    if digits == ".nan":
        return math.nan
    return sign * (_base_60(digits, float) if ":" in digits else float(digits))


def read_binary(text: str) -> bytes:
    """Decode base64 text; missing padding is tolerated."""
    import base64  # Imported lazily: few files have such values.
    import binascii

    try:
        encoded = text.encode("ascii")
    except UnicodeEncodeError as exc:
        raise ValueError(f"failed to convert base64 data into ascii: {exc}") from exc
    missing = len(encoded) % 4
    try:
        return base64.decodebytes(encoded + b"=" * (4 - missing) if missing else encoded)
    except binascii.Error as exc:
        raise ValueError(f"failed to decode base64 data: {exc}") from exc


def _without_zeros(text: str) -> str:
    if text.startswith("0") and not text.startswith(("0b", "0x")):
        return text.lstrip("0") or "0"
    return text


def _base_60(digits: str, kind: type[int] | type[float]) -> float:
    total: float = 0
    for part in digits.split(":"):
        total = total * 60 + kind(part)
    return total


#: {tag: reader of scalars}
READERS: dict[str, Callable[[str], Any]] = {
    STR: str,
    NULL: lambda text: None,
    BOOL: read_bool,
    INT: read_int,
    FLOAT: read_float,
    BINARY: read_binary,
    TIMESTAMP: str,
    "tag:yaml.org,2002:python/unicode": str,
}
