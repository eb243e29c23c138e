"""Parser of YAML text into a tree of nodes, with the C parser if it is installed.

Everything that depends on the parser library is here or in `yaml_pure`: the parser, its interface for tags,
its errors. The import takes about 10 ms, so import this file (and `yaml_construct`) only where YAML is read.

Shapes: a node has `ctag`, `value` (str, list of nodes, or list of key and value nodes), `start_mark` (line
and column from 0) and `id` (`scalar`, `sequence`, `mapping`).
Errors: YamlError with the parser's text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.tag import Tag

from salt_g.errors import YamlError
from salt_g.formats import yaml_flow_marks, yaml_scalars
from salt_g.formats.yaml_aliases import check_aliases

try:
    from _ruamel_yaml import CParser  # type: ignore[import-not-found]
except ImportError:  # pragma: no cover - depends on how ruamel.yaml was installed
    CParser = None

__all__ = [
    "MAP",
    "SEQ",
    "STR",
    "MappingNode",
    "ScalarNode",
    "SequenceNode",
    "compose",
    "describe",
    "tag_object",
]

log = logging.getLogger(__name__)

#: Number of nodes between two calls of `yield_to_hub` (about 2 ms).
_NODES_PER_YIELD = 1000
#: Maximum nesting of collections.
MAX_DEPTH = 1000
#: Context prefixes of errors that the parser notices only on a later line.
_OPENED = ("while scanning a quoted scalar", "while scanning a simple key", "while parsing a flow")
#: {class name of a parser error: reading stage}
_STAGES = {"ScannerError": "scan", "ParserError": "parse", "ComposerError": "compose", "ReaderError": "read"}


def tag_object(name: str) -> Tag:
    """Return the tag object shared by all nodes with this tag, so that tags can be compared by `is`."""
    return _TAGS[name]


_TAGS = {
    name: Tag(suffix=name)
    for name in (
        *(
            value
            for key, value in vars(yaml_scalars).items()
            if key.isupper() and str(value).startswith("tag:")
        ),
        "tag:yaml.org,2002:map",
        "tag:yaml.org,2002:seq",
        "tag:yaml.org,2002:set",
    )
}
STR = _TAGS[yaml_scalars.STR]
MAP = _TAGS["tag:yaml.org,2002:map"]
SEQ = _TAGS["tag:yaml.org,2002:seq"]


def resolve(kind: type, value: str | None, implicit: Any) -> Tag:
    """Return the tag of an untagged node; `implicit[0]` is true for a plain scalar."""
    if kind is ScalarNode:
        return _TAGS[yaml_scalars.tag_of(value or "")] if implicit[0] else STR
    return MAP if kind is MappingNode else SEQ


def compose(
    text: str | bytes, *, name: str | None = None, yield_to_hub: Callable[[], None] | None = None
) -> Any:
    """Return the root node of the single document in `text`, or None if it is empty.

    `name` replaces the parser's `<unicode string>` in messages; `yield_to_hub` is called every few ms.
    Raise YamlError.
    """
    try:
        root = _compose_fast(text, yield_to_hub) if CParser is not None else _compose_pure(text)
    except MarkedYAMLError as exc:
        raise _marked_error(exc, name) from exc
    except YAMLError as exc:
        raise YamlError(str(exc), stage=_stage(exc), line=_line_at(text, exc)) from exc
    except UnicodeEncodeError as exc:
        raise YamlError(str(exc), stage="read") from exc
    except RecursionError as exc:
        raise _too_deep() from exc
    check_aliases(text, root, max_depth=MAX_DEPTH)
    return root


def describe(
    context: str | None, context_mark: Any, problem: str | None, problem_mark: Any, name: str | None
) -> str:
    """Return the text of an error in libyaml's layout, with equal locations shown once."""
    lines = [context] if context else []
    if context_mark is not None and (problem_mark is None or _place(context_mark) != _place(problem_mark)):
        lines.append(_line(context_mark, name))
    if problem:
        lines.append(problem)
    if problem_mark is not None:
        lines.append(_line(problem_mark, name))
    return "\n".join(lines)


class _FastParser(CParser if CParser is not None else object):  # type: ignore[misc]
    """C parser with our tag rules; it calls the three methods below by name."""

    _depth = 0
    _nodes = 0
    #: Called every few milliseconds.
    yield_to_hub: Callable[[], None] | None = None
    #: Restores the original text of a scalar, see `yaml_flow_marks`.
    restore: Callable[[str], str] | None = None

    def resolve(self, kind: type, value: str | None, implicit: Any) -> Tag:
        if self.restore is not None and value:
            value = self.restore(value)
        return resolve(kind, value, implicit)

    def descend_resolver(self, node: Any, index: Any) -> None:
        """Reject excessively nested documents, because the C code recurses and would overflow its stack."""
        self._depth += 1
        self._nodes += 1
        if self.yield_to_hub is not None and self._nodes % _NODES_PER_YIELD == 0:
            self.yield_to_hub()
        if self._depth > MAX_DEPTH:
            raise _too_deep()

    def ascend_resolver(self) -> None:
        self._depth -= 1


def _too_deep() -> YamlError:
    return YamlError(f"the document is nested deeper than {MAX_DEPTH} levels", stage="compose")


def _compose_fast(text: str | bytes, yield_to_hub: Callable[[], None] | None) -> Any:
    parser = _FastParser(text)
    parser.yield_to_hub = yield_to_hub
    try:
        return _parse(parser)
    except MarkedYAMLError as exc:
        if not yaml_flow_marks.may_be_refusal(exc):
            raise
        return _compose_with_marks(text if isinstance(text, str) else text.decode("utf-8-sig"), exc)


def _compose_with_marks(text: str, refusal: Any) -> Any:
    """Parse again, hiding one more rejected character each time, until none is rejected."""
    hidden = yaml_flow_marks.HiddenMarks(text)
    while refusal.problem_mark and hidden.hide(refusal):
        parser = _FastParser(hidden.text)
        parser.restore = hidden.restore
        try:
            return hidden.restore_nodes(_parse(parser))
        except MarkedYAMLError as exc:
            refusal = exc
    raise refusal


def _parse(parser: _FastParser) -> Any:
    try:
        return parser.get_single_node()
    finally:
        parser.dispose()


def _compose_pure(text: str | bytes) -> Any:
    from salt_g.formats.yaml_pure import parse

    return parse(text, resolve)


def _line_at(text: str | bytes, exc: Any) -> int:
    """Return the line of a character that the parser rejects, or 0 if it is unknown."""
    at = getattr(exc, "position", None)
    if not isinstance(at, int) or at < 0:
        return 0
    return 1 + (text.count("\n", 0, at) if isinstance(text, str) else text.count(b"\n", 0, at))


def _marked_error(exc: Any, name: str | None) -> YamlError:
    mark = exc.problem_mark or exc.context_mark
    return YamlError(
        describe(exc.context, exc.context_mark, exc.problem, exc.problem_mark, name),
        line=mark.line + 1 if mark else 0,
        column=mark.column + 1 if mark else 0,
        problem=exc.problem or "",
        stage=_stage(exc),
        opened=exc.context_mark.line + 1 if exc.context_mark and str(exc.context).startswith(_OPENED) else 0,
    )


def _stage(exc: Exception) -> str:
    return _STAGES.get(type(exc).__name__, "parse")


def _place(mark: Any) -> tuple[Any, int, int]:
    return mark.name, mark.line, mark.column


def _line(mark: Any, name: str | None) -> str:
    return f'  in "{name or mark.name}", line {mark.line + 1}, column {mark.column + 1}'
