"""Source lines of rendered text: the template and line from which each line of the output comes.

They are found by a second rendering, when an error needs a location: marks are put at the beginning of each
source line, pass through the template and are removed from its output. Text that a template keeps as a value
(`set` blocks, `load_yaml`) gets no marks, because they would become part of the value.
Shapes: a mark is FIRST, the number of a source line in a table, LAST.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from salt_g.render.jinja.environment import Environment
from salt_g.render.jinja.loader import SaltLoader
from salt_g.render.jinja.options import Options
from salt_g.render.request import RenderRequest
from salt_g.shapes import SourceLine

#: Delimiters of marks: private-use characters, which no template contains and YAML allows.
FIRST, LAST = "\U000f5a17", "\U000f5a18"
_MARK = re.compile(f"{FIRST}([0-9]+){LAST}")
#: Tags whose content becomes a value, with their end tags.
_VALUES = {"load_yaml": "endload", "load_json": "endload", "load_text": "endload", "set": "endset"}
#: Tags whose content is processed before it is printed, with their end tags.
_HANDED = {"macro": "endmacro", "call": "endcall", "filter": "endfilter"}
HANDED = frozenset(_HANDED)


def render_marked(
    text: str,
    options: Options,
    request: RenderRequest,
    variables: Mapping[str, Any],
    first_line: int = 1,
    *,
    marked: Container[str] = HANDED,
) -> MarkedOutput:
    """Render a template's text with marks; `first_line` is its first line number. Jinja's errors propagate.

    `marked` are the tags of HANDED whose content also gets marks, which a template that inspects this text
    would see.
    """
    environment = _MarkingEnvironment(options, request, variables)
    environment.marked = marked
    environment.first_line = first_line
    template = environment.from_code(environment.compile(text))
    return MarkedOutput(template.render(variables), environment.table)


class MarkedOutput:
    """Output with marks, and the source lines that the marks stand for."""

    def __init__(self, output: str, table: Sequence[SourceLine]) -> None:
        self._output = output
        self._table = table

    def text(self) -> str:
        """Return the output without marks."""
        return _MARK.sub("", self._output)

    def lines(self) -> list[SourceLine]:
        """Return the source line of each line of the output.

        A line belongs to the last mark before its text, because tags that print nothing leave their marks in
        front. A line without a mark continues a value of several lines, and belongs to the line that prints
        this value.
        """
        found: list[SourceLine] = []
        here, own = SourceLine("", 1), 1
        for line in self._output.split("\n"):
            shown, used_at = here, own
            for mark in _MARK.finditer(line):
                here = self._table[int(mark[1])]
                own = own if here.name else here.line
                if not _MARK.sub("", line[: mark.start()]).strip():
                    shown, used_at = here, own
            found.append(shown._replace(used_at=used_at if shown.name else 0))
        return found


class _Marks(Extension):
    """Extension that puts marks into the data of templates while they are compiled."""

    environment: _MarkingEnvironment

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens, with marks in the text that is output."""
        tokens = list(stream)
        name = stream.name or ""
        values: list[str] = []
        for at, token in enumerate(tokens):
            if token.type == "name" and at and tokens[at - 1].type == "block_begin":
                if values and token.value == values[-1]:
                    values.pop()
                elif end := self._end_of_value(tokens, at):
                    values.append(end)
            is_output = token.type == "data" and not values
            yield token._replace(value=self._marked(token, name)) if is_output else token

    def _end_of_value(self, tokens: list[Token], at: int) -> str:
        """Return the tag that ends the value beginning at this token, or '' if none begins."""
        tag = tokens[at].value
        if tag in _HANDED:
            return "" if tag in self.environment.marked else _HANDED[tag]
        if tag == "set" and _assigns(tokens[at:]):
            return ""
        return _VALUES.get(tag, "")

    def _marked(self, token: Token, name: str) -> str:
        line = token.lineno + (0 if name else self.environment.first_line - 1)
        parts = token.value.split("\n")
        mark = self.environment.mark
        return "\n".join(mark(name, line + number) + part for number, part in enumerate(parts))


def _assigns(tokens: Iterable[Token]) -> bool:
    """Return whether a `set` tag assigns with `=` instead of beginning a block."""
    depth = 0
    for token in tokens:
        if token.type == "block_end":
            return False
        depth += {"lparen": 1, "rparen": -1}.get(token.type, 0)
        if token.type == "assign" and not depth:
            return True
    return False


class _MarkingEnvironment(Environment):
    """Environment that compiles templates with marks and whose `load_*` filters remove the marks."""

    marked: Container[str] = HANDED
    first_line = 1

    def __init__(self, options: Options, request: RenderRequest, variables: Mapping[str, Any]) -> None:
        self.table: list[SourceLine] = []
        super().__init__(options)
        self.optimized = False
        self.add_extension(_Marks)
        for name in ("load_yaml", "load_json", "load_text"):
            self.filters[name] = _without_marks(self.filters[name])
        self.globals.update(variables)
        self.loader = SaltLoader(request.files, request.saltenv, request.path, load_code=self._marked_code)

    def mark(self, name: str, line: int) -> str:
        """Return a new mark for a line of a template; `name` is '' for the SLS itself."""
        self.table.append(SourceLine(name, line))
        return f"{FIRST}{len(self.table) - 1}{LAST}"

    def _marked_code(self, _options: Options, text: str, name: str, path: str) -> CodeType:
        return self.compile(text, self._path_from_roots(name), path)

    def _path_from_roots(self, name: str) -> str:
        """Return the path, from the roots, of a template being loaded; `tpldir` is already its directory."""
        is_relative = name.split("/", 1)[0] in (".", "..")
        return posixpath.normpath(f"{self.globals['tpldir']}/{name}") if is_relative else name


def _without_marks(load: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def load_clean(value: Any) -> Any:
        text = str(value) if isinstance(value, TemplateModule) else value
        return load(_MARK.sub("", text) if isinstance(text, str) else text)

    return load_clean
