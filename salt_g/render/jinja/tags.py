"""Salt's tags: `load_yaml`, `import_yaml` and their JSON and text forms, `profile`.

{% load_yaml as x %}a: 1{% endload %}     x is data
{% import_yaml "f.yaml" as x %}           f.yaml rendered by Jinja, then loaded
{% profile as "name" %}...{% endprofile %} the time is logged
"""

from __future__ import annotations

import logging
import time
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension

log = logging.getLogger(__name__)


class DataTags(Extension):
    """Parser of the tags into Jinja's own nodes; the `load_*` filters load the data."""

    tags = {"load_yaml", "load_json", "load_text", "import_yaml", "import_json", "import_text", "profile"}

    def parse(self, parser: Any) -> Any:
        """Return the nodes of the tag at the parser's position."""
        tag = parser.stream.current.value
        if tag.startswith("load_"):
            return self._parse_load(parser)
        if tag.startswith("import_"):
            return self._parse_import(parser, tag)
        return self._parse_profile(parser)

    def _parse_load(self, parser: Any) -> nodes.Node:
        token = next(parser.stream)
        parser.stream.expect("name:as")
        target = parser.parse_assign_target()
        body = parser.parse_statements(("name:endload",), drop_needle=True)
        return nodes.AssignBlock(target, _filter(None, token.value, token.lineno), body, lineno=token.lineno)

    def _parse_import(self, parser: Any, tag: str) -> list[nodes.Node]:
        node = parser.parse_import()
        line = node.lineno
        loaded = _filter(nodes.Name(node.target, "load", lineno=line), tag.replace("import_", "load_"), line)
        return [node, nodes.Assign(nodes.Name(node.target, "store", lineno=line), loaded, lineno=line)]

    def _parse_profile(self, parser: Any) -> list[nodes.Node]:
        line = next(parser.stream).lineno
        parser.stream.expect("name:as")
        label = parser.parse_expression()
        body = parser.parse_statements(("name:endprofile",), drop_needle=True)
        started = parser.free_identifier(lineno=line).name
        start = nodes.Assign(nodes.Name(started, "store"), self.call_method("_now"), lineno=line)
        end = nodes.ExprStmt(self.call_method("_log_time", [label, nodes.Name(started, "load")]), lineno=line)
        return [start, *body, end]

    @staticmethod
    def _now() -> float:
        return time.monotonic()

    @staticmethod
    def _log_time(label: Any, started: float) -> None:
        log.debug("Time (in seconds) to render profile block '%s': %s", label, time.monotonic() - started)


def _filter(node: nodes.Expr | None, name: str, line: int) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=line)
