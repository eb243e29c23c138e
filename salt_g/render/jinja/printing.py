"""Printing of mappings and lists in a form that is valid YAML.

Source: conformance case `render/print-dict`.
"""

from __future__ import annotations

from typing import Any


def finalize(value: Any) -> Any:
    """Return the value that Jinja prints for an expression: mappings and lists print as valid YAML."""
    return value if isinstance(value, (str, int)) else _printable(value)


class PrintedDict(dict[Any, Any]):
    """Mapping that prints as valid YAML: text with line ends or tabs is in double quotes."""

    def __str__(self) -> str:
        return self._text(str)

    def __repr__(self) -> str:
        return self._text(repr)

    def _text(self, other: Any) -> str:
        pairs = (
            f"{key!r}: {_quoted(value) if isinstance(value, str) else other(value)}"
            for key, value in self.items()
        )
        return "{" + ", ".join(pairs) + "}"


def _printable(value: Any) -> Any:
    if isinstance(value, dict):
        return PrintedDict((key, _printable(item)) for key, item in value.items())
    if isinstance(value, (list, tuple, set)):
        return value.__class__([_printable(item) for item in value])
    return value


def _quoted(text: str) -> str:
    if not any(char in text for char in "\n\r\t"):
        return repr(text)
    from salt_g.formats.yaml_dump import dump

    return dump(text, default_style='"', default_flow_style=True, width=2**31 - 1).rstrip("\n")
