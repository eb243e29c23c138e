"""Line-based reader of plain block YAML, five times as fast as libyaml.

libyaml reports each token to Python as an event with its marks, and its wrapper takes 10 ms to import. Nearly
all SLS and pillar files are plain block YAML, where each line is readable on its own. Only unambiguous lines
are accepted here; everything else (anchors, tags, text over several lines, errors, …) is declined, and the
caller reads the whole text with libyaml.

Shapes: `- - a: b` is the line of two dashes (columns 0 and 2) and a key (column 4) with its value.
Source: YAML 1.1 as read by libyaml; `tests/unit/formats/test_yaml_block.py` compares both.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from salt_g.formats import yaml_scalars

#: Number of lines between two calls of `yield_to_hub` (about 2 ms).
_LINES_PER_YIELD = 2000
#: Maximum nesting of collections in this reader.
_MAX_DEPTH = 100
#: Maximum length of a key in characters; the limit of YAML is 1,024.
_MAX_KEY = 1000

#: Number of parsed lines that are cached, and maximum length (characters) of a cached line. The cache helps
#: because the pillar files of many minions differ in few lines.
_KNOWN_LINES = 8192
_USUAL_LINE = 160

#: Tabs and other control characters, line ends other than LF, surrogates, byte order marks, non-characters.
_STRANGE = "[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
#: The ASCII part of `_STRANGE`; compiling the rest takes as long as everything else in this file.
_STRANGE_ASCII = re.compile("[\0-\x09\x0b-\x1f\x7f]").search
#: Plain (unquoted) scalar; it ends before `: `, ` #` or the line end, and does not begin with an indicator.
_PLAIN = (
    r"""(?:[^\s\-?:,\[\]{}#&*!|>'"%@`]|-(?=[\w./]))"""
    r"""[^ :#]*(?:(?: +(?=[^ :#]|:[^ ])|:(?=[^ ])|(?<=[^ ])\#)[^ :#]*)*"""
)
_QUOTED = r"""'(?:[^']|'')*'|"(?:[^"\\]|\\[\\"nt])*\""""
#: Flow collections of simple words without nesting: `[a, 'b']`, `{a: 1, b: c}`.
_FLOW_WORD = rf"(?:[A-Za-z0-9_/.][A-Za-z0-9_/.@+*^$~%-]*|{_QUOTED})"
_FLOW_PAIR = rf"{_FLOW_WORD}: +{_FLOW_WORD}"
_FLOW = rf"\[ *(?:{_FLOW_WORD}(?: *, *{_FLOW_WORD})*)? *\]|\{{ *(?:{_FLOW_PAIR}(?: *, *{_FLOW_PAIR})*)? *\}}"
#: Groups of `_LINE`; group 1 is the dashes.
_KEY, _VALUE = 2, 3
_LINE = re.compile(
    rf"((?: *-(?= |$))*) *"
    rf"(?:(?:({_PLAIN}|{_QUOTED}):(?= |$) *)?({_PLAIN}|{_QUOTED}|{_FLOW})?)?"
    rf"(?: *$|(?:^| ) *#.*$)"
).match
_FLOW_WORDS = re.compile(_FLOW_WORD).findall
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Declined(Exception):
    """Raised for a text that is not plain block YAML and must be read by libyaml."""


#: Content of a line: columns of its dashes; column of the key, or of a lone value; whether it has a key;
#: the key; whether it has a value; the value; whether that is the text of a flow collection, to be parsed for
#: each line. It is shared by all lines with the same text, in all documents, so it must be immutable.
_Line = tuple[tuple[int, ...], int, bool, Any, bool, Any, bool]


def read_block(text: str, mapping: type, yield_to_hub: Callable[[], None] | None = None) -> Any:
    """Return the data of a text of plain block YAML. Raises Declined.

    `mapping` is the type of mappings; `yield_to_hub` is called every few milliseconds.
    """
    if _STRANGE_ASCII(text) or (not text.isascii() and re.search(_STRANGE, text)):
        raise Declined
    document = _Document(mapping)
    sources = text.split("\n")
    for begin in range(0, len(sources), _LINES_PER_YIELD):
        if begin and yield_to_hub is not None:
            yield_to_hub()
        document.read(sources[begin : begin + _LINES_PER_YIELD])
    return document.root


class _Document:
    """Document being read: the collections that the next line can continue."""

    def __init__(self, mapping: type) -> None:
        self.root: Any = None
        self._mapping = mapping
        self._open: list[Any] = []
        self._columns: list[int] = []
        #: The innermost collection, and its column (-1 if there is no collection).
        self._top: Any = None
        self._innermost = -1
        #: Where a deeper collection would go: a key or the last index of the innermost collection.
        self._slot: Any = None
        self._is_waiting = True

    def read(self, sources: list[str]) -> None:
        """Read lines into the open collections; raises Declined."""
        mapping = self._mapping
        for source in sources:
            line = _known_line(source) if len(source) <= _USUAL_LINE else _read_line(source)
            if line is None:
                continue
            dashes, column, has_key, key, has_value, value, is_flow = line
            # Most lines are a key of an open or new mapping. They are handled inline, in half the time.
            if dashes or is_flow or not has_key:
                self._add(line)
                continue
            top = self._top
            if column != self._innermost or type(top) is not mapping:
                if self._is_waiting and column > self._innermost:
                    top = self._begin(column, mapping())
                else:
                    top = self._return_to_mapping(column)
            if key in top:
                raise Declined
            top[key] = value
            self._slot = key
            self._is_waiting = not has_value

    def _add(self, line: _Line) -> None:
        dashes, column, has_key, key, has_value, value, is_flow = line
        if is_flow:
            value = _read_flow(value, self._mapping)
        for dash in dashes:
            self._enter_list(dash)
            self._top.append(None)
            self._slot, self._is_waiting = -1, True
        if has_key:
            if dashes or column != self._innermost or type(self._top) is not self._mapping:
                self._enter_mapping(column)
            if key in self._top:
                raise Declined
            self._top[key] = value
            self._slot = key
            self._is_waiting = not has_value
        elif has_value:
            if not dashes:
                raise Declined
            self._top[-1] = value
            self._is_waiting = False

    def _enter_list(self, column: int) -> None:
        """Make the list at this column the innermost collection."""
        if self._is_waiting and (
            column > self._innermost
            # A list may begin in the same column as the key that it belongs to.
            or (column == self._innermost and type(self._top) is not list)
        ):
            self._begin(column, [])
            return
        self._leave_to(column)
        if type(self._top) is not list:
            raise Declined

    def _enter_mapping(self, column: int) -> None:
        """Make the mapping at this column the innermost collection."""
        if self._is_waiting and column > self._innermost:
            self._begin(column, self._mapping())
        else:
            self._return_to_mapping(column)

    def _return_to_mapping(self, column: int) -> Any:
        """Make the mapping at this column the innermost collection again; return the mapping."""
        self._leave_to(column)
        columns = self._columns
        if len(columns) > 1 and columns[-2] == column:
            # A list in the same column as its key ends here.
            columns.pop()
            self._open.pop()
            self._top = self._open[-1]
        if type(self._top) is not self._mapping:
            raise Declined
        return self._top

    def _leave_to(self, column: int) -> None:
        """Close the collections deeper than a column; raise Declined if no collection is at the column."""
        columns, innermost = self._columns, self._innermost
        while column < innermost:
            columns.pop()
            self._open.pop()
            innermost = columns[-1] if columns else -1
        if column != innermost:
            raise Declined
        self._innermost = column
        self._top = self._open[-1]

    def _begin(self, column: int, made: Any) -> Any:
        """Add a new collection, make it the innermost one, and return it."""
        if self._open:
            self._top[self._slot] = made
        else:
            self.root = made
        if len(self._open) == _MAX_DEPTH:
            raise Declined
        self._open.append(made)
        self._columns.append(column)
        self._top, self._innermost = made, column
        self._is_waiting = False
        return made


def _read_line(source: str) -> _Line | None:
    """Parse a line; return None for an empty line or a comment; raises Declined."""
    found = _LINE(source)
    if found is None or source.startswith(("---", "...")):
        raise Declined
    dashes, key, value = found.groups()
    if key is None and value is None and not dashes:
        return None
    if key is not None and len(key) > _MAX_KEY:
        raise Declined
    columns: tuple[int, ...] = ()
    if dashes:
        is_single = dashes.count("-") == 1
        columns = (
            (len(dashes) - 1,) if is_single else tuple(at for at, mark in enumerate(dashes) if mark == "-")
        )
    is_flow = value is not None and value[0] in "[{"
    return (
        columns,
        found.start(_KEY if key is not None else _VALUE),
        key is not None,
        None if key is None else _read_word(key),
        value is not None,
        value if is_flow or value is None else _read_word(value),
        is_flow,
    )


_known_line = functools.lru_cache(maxsize=_KNOWN_LINES)(_read_line)


def _read_word(word: str) -> Any:
    """Return the value of a scalar, with or without quotes; raises Declined."""
    if word[0] == "'":
        return word[1:-1].replace("''", "'")
    if word[0] == '"':
        return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], word[1:-1]) if "\\" in word else word[1:-1]
    tag = yaml_scalars.tag_of(word)
    if tag is yaml_scalars.STR:
        return word
    try:
        return yaml_scalars.READERS[tag](word)
    except (KeyError, ValueError):
        raise Declined from None


def _read_flow(text: str, mapping: type) -> Any:
    """Return the list or mapping of a flow collection; raises Declined."""
    words = [_read_word(word) for word in _FLOW_WORDS(text)]
    if text[0] == "[":
        return words
    made = mapping(zip(words[::2], words[1::2], strict=True))
    if len(made) * 2 != len(words):
        raise Declined  # The key is repeated.
    return made
