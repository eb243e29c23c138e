"""Context of the cursor: its place in the YAML of an SLS file, or in a Jinja expression.

Files are read as written, not rendered, because most files cannot be rendered while they are edited. Nesting
is therefore derived from the indentation, and lines of Jinja are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

#: Number of characters before the cursor that are searched for the beginning of an expression.
_EXPRESSION = 2000
_KEY = re.compile(r"^(?P<quote>[\"']?)(?P<key>.+?)(?P=quote):(?:\s+(?P<value>.*))?$")
_ITEM = re.compile(r"^-(?:\s+|$)")
_ID = r"[\w.:-]*"
_STRING = r"[\"']"


class YamlPlace(NamedTuple):
    """Place in YAML: the enclosing keys, outermost first, and their lines (from 0).

    `is_item` is whether the place is in a list item. `key` is the key of the line if the place is in the
    value of that key, else ''. `prefix` is the text from the beginning of the key or value to the cursor.
    """

    keys: tuple[str, ...]
    lines: tuple[int, ...]
    is_item: bool
    key: str
    prefix: str


class JinjaPlace(NamedTuple):
    """Place in a Jinja expression.

    `kind` is 'function' (of `salt`), 'pillar' or 'grains' (a key of them), or 'template' (a path). `prefix`
    is the text before the cursor; `path` are the enclosing keys of pillar or grains.
    """

    kind: str
    prefix: str
    path: tuple[str, ...] = ()


#: Patterns of expressions that end at the cursor.
_KEYS_BY_COLON = re.compile(
    rf"salt(?:\[{_STRING}(pillar|grains)\.get{_STRING}\]|\.(pillar|grains)\.get)\(\s*{_STRING}([^\"']*)$"
)
_KEYS_BY_INDEX = re.compile(
    rf"\b(pillar|grains)((?:\[{_STRING}[^\"']+{_STRING}\])*)(?:\[|\.get\(\s*){_STRING}([^\"']*)$"
)
_KEYS_BY_ATTRIBUTE = re.compile(r"(?<![\w.\"'])(pillar|grains)((?:\.\w+)*)\.(\w*)$")
_FUNCTION = re.compile(rf"\bsalt(?:\[{_STRING}|\.)([\w.]*)$")
_TEMPLATE = re.compile(rf"\b(?:from|import|include|extends)\s+{_STRING}([^\"']*)$")


def jinja_place(before: str) -> JinjaPlace | None:
    """Return the place at the end of a text in Jinja, or None outside of known expressions."""
    text = before[-_EXPRESSION:]
    begin = max(text.rfind("{{"), text.rfind("{%"))
    if begin < max(text.rfind("}}"), text.rfind("%}")) or begin < 0:
        return None
    text = text[begin:]
    if found := _KEYS_BY_COLON.search(text):
        *path, prefix = found.group(3).split(":")
        return JinjaPlace(found.group(1) or found.group(2), prefix, tuple(path))
    if found := _KEYS_BY_INDEX.search(text):
        path = re.findall(rf"\[{_STRING}([^\"']+){_STRING}\]", found.group(2))
        return JinjaPlace(found.group(1), found.group(3), tuple(path))
    if found := _KEYS_BY_ATTRIBUTE.search(text):
        path = [word for word in found.group(2).split(".") if word]
        return JinjaPlace(found.group(1), found.group(3), tuple(path))
    if found := _FUNCTION.search(text):
        return JinjaPlace("function", found.group(1))
    found = _TEMPLATE.search(text)
    return JinjaPlace("template", found.group(1)) if found else None


def yaml_place(lines: Sequence[str], number: int, column: int) -> YamlPlace:
    """Return the place in YAML at a column (index) of the line `number` (from 0)."""
    line = lines[number][:column] if number < len(lines) else ""
    indent = len(line) - len(line.lstrip(" "))
    content, is_item = line[indent:], False
    at = indent
    while found := _ITEM.match(content):
        is_item, at, content = True, at + found.end(), content[found.end() :]
    keys, places = _keys_around(lines, number, indent, is_item=is_item)
    key = _KEY.match(content)
    if key is None:
        return YamlPlace(keys, places, is_item, "", content)
    return YamlPlace(keys, places, is_item, key.group("key").strip(), key.group("value") or "")


def _keys_around(
    lines: Sequence[str], number: int, indent: int, *, is_item: bool
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the keys that enclose a line, outermost first, and their lines."""
    keys: list[str] = []
    places: list[int] = []
    for above in range(number - 1, -1, -1):
        text = lines[above].rstrip()
        content = text.lstrip(" ")
        dash = _ITEM.match(content)
        key = _KEY.match(content[dash.end() :] if dash else content)
        if not content or content.startswith(("#", "{%", "{#")) or (content.startswith("{{") and not key):
            continue
        own = len(text) - len(content)
        begin = own + dash.end() if dash else own
        if begin < indent or (is_item and begin == indent and key and not key.group("value")):
            if key is not None:
                keys.append(key.group("key").strip())
                places.append(above)
            indent, is_item = own, bool(dash)
        elif dash and own < indent:
            indent, is_item = own, True
        if indent == 0 and not is_item:
            break
    return tuple(reversed(keys)), tuple(reversed(places))


def key_lines(lines: Sequence[str], path: Sequence[str]) -> int:
    """Return the line (from 1) of the key at a path of nested keys, or 0 if it does not exist."""
    for number, line in enumerate(lines):
        content = line.strip()
        key = _KEY.match(_ITEM.sub("", content))
        if key is None or key.group("key").strip() != path[-1]:
            continue
        indent = len(line) - len(line.lstrip(" "))
        keys, _ = _keys_around(lines, number, indent, is_item=bool(_ITEM.match(content)))
        if keys == tuple(path[:-1]):
            return number + 1
    return 0


def word_at(line: str, column: int, signs: str = r"\w.:/@*?+-") -> tuple[int, int]:
    """Return start and end (indexes) of the word at a column; `signs` are the characters of a word."""
    for found in re.finditer(rf"[{signs}]+", line):
        if found.start() <= column <= found.end():
            return found.span()
    return column, column
