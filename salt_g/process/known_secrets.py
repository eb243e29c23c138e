"""Secrets known to this process, and their replacement in text and data.

Each secret is recognized literally, in its forms in JSON, YAML, Python, shell, HTML, URLs, base64 and
hexadecimal digits, and as JSON inside most of these; the literal, JSON, YAML and base64 forms are also
recognized when they are broken into lines.
Bounds: MAX_SECRETS values of at least MIN_BYTES bytes that are not common words; other values are reported in
the log, and shown. In a secret of several lines, each line of at least MIN_LINE characters is itself a
secret, because diffs show single lines.
"""

from __future__ import annotations

import base64
import html
import json
import logging
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from salt_g.process.split_texts import MAX_LENGTH, spans_around, squeezed

log = logging.getLogger(__name__)

_T = TypeVar("_T")

#: Maximum number of secrets; further ones are not hidden, and one warning is logged.
MAX_SECRETS = 5_000
#: Minimum length of a secret (bytes): shorter ones occur in texts by chance.
MIN_BYTES = 6
#: Minimum length of a line of a multi-line secret (characters), and prefix of lines that are not secret.
MIN_LINE = 12
_NO_SECRET_LINE = "-----"
#: Pattern of a shorter line that is secret anyway: letters and digits, without a blank.
_PASSWORD_LINE = r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{8,}"
#: Words that are never treated as secrets, because hiding them would make output unreadable.
_WORDS = """
absent changeme database default disabled enabled example localhost master minion nobody password passwd
present private production public running secret service staging system unknown username
000000 123456 1234567 12345678 123456789 127.0.0.1 0.0.0.0 example.com
"""
COMMON_WORDS = frozenset(_WORDS.split())
#: Characters that have a named escape in double-quoted YAML.
_YAML_ESCAPES = {
    one: f"\\{name}"
    for one, name in zip('\0\a\b\t\n\v\f\r\x1b"\\\x85\xa0\u2028\u2029', '0abtnvfre"\\N_LP', strict=True)
}
#: Highest code points left unescaped: by ASCII output, by most programs, and by programs that escape none.
_YAML_PLAIN = (0x7E, 0xFFFF, 0x10FFFF)
#: Number of characters in an anchor.
ANCHOR = 4
#: Minimum length of the anchor of a text that is broken into lines (characters).
MIN_ANCHOR = 3
_BLANK = re.compile(r"[\s\\]")
#: Characters of usual output, the most frequent first.
_FREQUENT = " etaoinsrlcdmupfghbyv_/.-:wkx1023456789jqz|\n\"',=()ETAOINSRLCDMUPFGHBYVWKXJQZ"


def leaves_of(value: Any) -> list[str]:
    """Return the texts and numbers in nested data that can be secrets."""
    if isinstance(value, Mapping):
        return [leaf for inner in value.values() for leaf in leaves_of(inner)]
    if isinstance(value, (list, tuple)):
        return [leaf for inner in value for leaf in leaves_of(inner)]
    if isinstance(value, bytes):
        return [value.decode("utf-8", "surrogateescape")]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return []
    return [str(value)]


def can_be_hidden(value: str) -> bool:
    """Return whether a value is long enough to be hidden and not a common word."""
    return not _problem_of(value)


def _problem_of(value: str) -> str:
    if len(value.encode("utf-8", "surrogateescape")) < MIN_BYTES:
        return f"it has fewer than {MIN_BYTES} bytes"
    return "it is a common word" if value.lower() in COMMON_WORDS else ""


class KnownSecrets:
    """Set of secrets with their labels; `add` and `hide` may be called from several threads."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._forms = _Forms()
        self._warned: set[str] = set()

    def add(self, values: Mapping[str, str]) -> None:
        """Add {secret: label}; a label that is not empty replaces an earlier one."""
        for value, label in values.items():
            known = self._labels.get(value)
            if known == label:
                continue
            if known is None and (problem := self._problem(value)):
                self._warn(label, problem)
            elif known is None or label:
                self._labels[value] = label
                self._forms.add(_parts_of(value), _shown(label))
                self._forms.add_split(_broken_forms(value), _shown(label))

    def _problem(self, value: str) -> str:
        if len(self._labels) >= MAX_SECRETS:
            return f"{MAX_SECRETS} secrets are known already"
        return _problem_of(value)

    def _warn(self, label: str, problem: str) -> None:
        name = problem if problem[0].isdigit() else label
        if name not in self._warned and len(self._warned) < MAX_SECRETS:
            self._warned.add(name)
            log.warning("the secret %s is not hidden in output: %s", label or "of a template", problem)

    def hide(self, value: _T) -> _T:
        """Return text or nested data with the secrets replaced, or the data itself if it has none."""
        # Most data holds no secret, and one search in all of its texts joined is faster than one in each
        # text.
        if not isinstance(value, str) and not self._forms.are_in("\0".join(_texts_in(value))):
            return value
        hidden: _T = self._hidden(value)
        return hidden

    def is_in(self, data: bytes) -> bool:
        """Return whether data contains a secret in any form."""
        return self._forms.are_in(data.decode("utf-8", "surrogateescape"))

    def _hidden(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._forms.replaced(value)
        if isinstance(value, Mapping):
            return {self._hidden(key): self._hidden(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._hidden(inner) for inner in value]
        if isinstance(value, (tuple, set, frozenset)):
            return type(value)(self._hidden(inner) for inner in value)
        if isinstance(value, bytes):
            text = self._forms.replaced(value.decode("utf-8", "surrogateescape"))
            return text.encode("utf-8", "surrogateescape")
        if isinstance(value, int) and str(value) in self._labels:
            return _shown(self._labels[str(value)])
        return value


class _Forms:
    """Texts to replace, each found by an anchor that begins with its rarest character in usual output.

    A search for anchors skips nearly all of a text, whereas a search for first letters would stop very often.
    """

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        #: {anchor: {text: offset of the anchor in it}}
        self._at: dict[str, dict[str, int]] = {}
        #: {anchor: {text without breaks: (length of the text with its breaks, replacement)}}
        self._split_at: dict[str, dict[str, tuple[int, str]]] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, forms: Iterable[str], shown: str) -> None:
        """Register texts to be replaced by `shown`."""
        for form in forms:
            if form not in self._shown:
                offset = _rarest(form)
                anchor = form[offset : offset + ANCHOR]
                if anchor not in self._at:
                    self._pattern = None
                self._at.setdefault(anchor, {})[form] = offset
            self._shown[form] = shown

    def add_split(self, forms: Iterable[str], shown: str) -> None:
        """Register texts to be replaced where they are broken into lines."""
        for form in forms:
            wanted = squeezed(form)
            if len(wanted) >= MIN_BYTES and len(form) <= MAX_LENGTH:
                for anchor in _unbroken(form):
                    if anchor not in self._at and anchor not in self._split_at:
                        self._pattern = None
                    self._split_at.setdefault(anchor, {})[wanted] = (len(form), shown)

    def are_in(self, text: str) -> bool:
        """Return whether any of the texts is in `text`."""
        return next(self._found(text), None) is not None

    def replaced(self, text: str) -> str:
        """Return `text` with all registered texts replaced; overlapping ones get a single replacement."""
        spans = sorted(self._found(text), key=lambda span: (span[0], -span[1]))
        if not spans:
            return text
        parts, end = [], 0
        for start, stop, shown in spans:
            if start >= end:
                parts += [text[end:start], shown]
            end = max(end, stop)
        return "".join([*parts, text[end:]])

    def _found(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, replacement) of each registered text in `text`."""
        pattern = self._pattern
        if not (self._at or self._split_at):
            return
        if pattern is None:
            pattern = self._pattern = re.compile(_alternatives(sorted({*self._at, *self._split_at})))
        #: {text without breaks: next position to search}
        seen: dict[str, int] = {}
        match = pattern.search(text)
        while match is not None:
            place = match.start()
            for length in range(1, ANCHOR + 1):
                anchor = text[place : place + length]
                for form, offset in tuple(self._at.get(anchor, {}).items()):
                    start = place - offset
                    if start >= 0 and text.startswith(form, start):
                        yield start, start + len(form), self._shown[form]
                for wanted, (size, shown) in tuple(self._split_at.get(anchor, {}).items()):
                    if place >= seen.get(wanted, 0):
                        spans, seen[wanted] = spans_around(text, place, wanted, size)
                        yield from ((start, end, shown) for start, end in spans)
            match = pattern.search(text, place + 1)


def _rarest(form: str) -> int:
    """Return the position of the rarest character with which an anchor can begin."""
    places = range(max(1, len(form) - ANCHOR + 1))
    return max(places, key=lambda place: _rank(form[place]))


def _unbroken(form: str) -> Iterator[str]:
    """Yield anchors for a broken text, two without overlap if possible, because a break may split one."""
    free = [
        place for place in range(len(form) - ANCHOR + 1) if not _BLANK.search(form, place, place + ANCHOR)
    ]
    if not free:
        word = max(_BLANK.split(form), key=len)
        # Shorter words are everywhere.
        yield from [word] if len(word) >= MIN_ANCHOR else []
        return
    first = max(free, key=lambda place: _rank(form[place]))
    yield form[first : first + ANCHOR]
    free = [place for place in free if abs(place - first) >= ANCHOR]
    if free:
        second = max(free, key=lambda place: _rank(form[place]))
        yield form[second : second + ANCHOR]


def _rank(character: str) -> int:
    found = _FREQUENT.find(character)
    return len(_FREQUENT) if found < 0 else found


def _texts_in(value: Any) -> list[str]:
    """Return all texts and numbers in nested data, including keys."""
    found: list[str] = []
    inner = [value]
    while inner:
        one = inner.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Mapping):
            inner.extend(one)
            inner.extend(one.values())
        elif isinstance(one, (list, tuple, set, frozenset)):
            inner.extend(one)
        elif isinstance(one, bytes):
            found.append(one.decode("utf-8", "surrogateescape"))
        elif isinstance(one, int):
            found.append(str(one))
    return found


def _shown(label: str) -> str:
    return f"<secret:{label}>" if label else "<secret>"


def _parts_of(value: str) -> list[str]:
    """Return the forms of a secret and of those of its lines that are secrets."""
    forms = dict.fromkeys(forms_of(value))
    if "\n" in value:
        for line in _lines_of(value):
            forms.update(dict.fromkeys(forms_of(line)))
    return list(forms)


def _lines_of(value: str) -> Iterator[str]:
    """Yield the lines that are secrets on their own: long ones, and those that look like a password."""
    for line in map(str.strip, value.splitlines()):
        is_long = len(line) >= MIN_LINE and not line.startswith(_NO_SECRET_LINE)
        if is_long or re.fullmatch(_PASSWORD_LINE, line):
            yield line


def forms_of(value: str) -> Iterable[str]:
    """Return the forms of a text in other notations, without surrounding quotes."""
    raw = value.encode("utf-8", "surrogateescape")
    escaped = json.dumps(value)[1:-1]
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    forms = [value, value.strip(), escaped, plain, *_python_forms(value, raw)]
    for inner in (escaped, plain):
        forms += [inner.replace("/", "\\/"), *_quoted_again(inner)]
    forms += [json.dumps(shown[1:-1])[1:-1] for shown in (repr(value), ascii(value))]
    forms += [value.replace("'", "''"), *(_yaml_form(value, highest) for highest in _YAML_PLAIN)]
    forms += [shlex.quote(value), value.replace("'", "'\\''")]
    forms += [
        re.sub(r"([^\w@%+=:,./-])", r"\\\1", value, flags=re.ASCII),
        re.sub(r'(["$`\\])', r"\\\1", value),
    ]
    forms += [html.escape(value), html.escape(value, quote=False), *_xml_forms(value)]
    encoded = list(_base64_forms(raw))
    forms += [*_url_forms(raw), *encoded, *(quote(text, safe="") for text in encoded)]
    forms += [raw.hex(), raw.hex().upper()]
    return [form for form in forms if len(form) >= MIN_BYTES or form == value]


def _quoted_again(text: str) -> Iterator[str]:
    """Yield the forms of JSON text that is quoted again, as in a shell command, a URL or a container."""
    yield json.dumps(text)[1:-1]
    yield from _python_forms(text, text.encode("utf-8", "surrogateescape"))
    yield from (text.replace("'", instead) for instead in ("''", "'\\''", "'\"'\"'"))
    yield from _url_forms(text.encode("utf-8", "surrogateescape"))


def _url_forms(raw: bytes) -> Iterator[str]:
    for quoted in (quote(raw), quote(raw, safe=""), quote_plus(raw)):
        yield quoted
        yield re.sub("%..", lambda found: found[0].lower(), quoted)


def _xml_forms(value: str) -> Iterator[str]:
    """Yield the text as escaped by Jinja and XML, which use different entities for quotes."""
    plain = html.escape(value, quote=False)
    yield plain.replace("'", "&#39;").replace('"', "&#34;")
    yield plain.replace("'", "&apos;").replace('"', "&quot;")
    yield plain.replace('"', "&quot;")


def _yaml_form(value: str, highest: int) -> str:
    """Return the form of a text inside double quotes in YAML, with characters up to `highest` unescaped."""
    return "".join(_yaml_character(one, highest) for one in value)


def _yaml_character(one: str, highest: int) -> str:
    code = ord(one)
    is_plain = 0x20 <= code < 0x7F or (0xA0 <= code <= highest and not _is_special(code))
    if is_plain and one not in '"\\':
        return one
    if one in _YAML_ESCAPES:
        return _YAML_ESCAPES[one]
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _is_special(code: int) -> bool:
    """Return whether YAML escapes a character although its neighbours are plain."""
    return code in (0x2028, 0x2029, 0xFEFF) or 0xD800 <= code < 0xE000 or 0xFFFE <= code < 0x10000


def _python_forms(value: str, raw: bytes) -> Iterator[str]:
    for shown in (repr(value), ascii(value), repr(raw)[1:]):
        inner = shown[1:-1]
        yield inner
        # In the text of a container, single quotes may be escaped.
        yield inner.replace("'", "\\'")


def _base64_forms(raw: bytes) -> Iterator[str]:
    """Yield base64 of the secret alone, and the parts that always occur in base64 of longer data."""
    for alphabet in (b"+/", b"-_"):
        yield base64.b64encode(raw, alphabet).decode()
        yield from _base64_parts(raw, alphabet)


def _base64_parts(raw: bytes, alphabet: bytes = b"+/") -> Iterator[str]:
    """Yield the part of base64 that depends only on `raw`, for each of the three possible alignments."""
    for before in range(3):
        text = base64.b64encode(bytes(before) + raw, alphabet).decode()
        # A character encodes six bits, so the first and the last one may contain bits of neighbouring bytes.
        yield text[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]


def _broken_forms(value: str) -> Iterator[str]:
    """Yield the forms to find when broken into lines, for a secret and for each of its secret lines."""
    for text in (value, *(_lines_of(value) if "\n" in value else ())):
        yield from dict.fromkeys(
            (
                text,
                text.replace("'", "''"),
                json.dumps(text)[1:-1],
                *_base64_parts(text.encode("utf-8", "surrogateescape")),
            )
        )


def _alternatives(forms: list[str]) -> str:
    """Return a regular expression that matches any of some sorted texts, with common prefixes merged."""
    if len(forms) == 1:
        return re.escape(forms[0])
    length = 0
    for one, other in zip(forms[0], forms[-1], strict=False):
        if one != other:
            break
        length += 1
    rests = [form[length:] for form in forms]
    is_optional = rests[0] == ""
    groups: dict[str, list[str]] = {}
    for rest in rests[is_optional:]:
        groups.setdefault(rest[0], []).append(rest)
    inner = "|".join(_alternatives(group) for group in groups.values())
    return f"{re.escape(forms[0][:length])}(?:{inner}){'?' if is_optional else ''}"


def hide_in_uncaught_errors(hide: Callable[[str], str]) -> None:
    """Hide secrets in tracebacks of uncaught exceptions, unless another `sys.excepthook` was set before."""
    before = sys.excepthook

    def hidden(kind: type[BaseException], exc: BaseException, trace: TracebackType | None) -> None:
        import traceback

        if before is not sys.__excepthook__:
            before(kind, exc, trace)
            return
        sys.stderr.write(hide("".join(traceback.format_exception(kind, exc, trace))))

    sys.excepthook = hidden
