"""Text of syslog-ng's configuration from nested data.

Shapes: a statement is `type.id` with a list of options, or {type: options} with an id. An option is a scalar
or {name: value}; its value is a scalar or a list of parameters, which can have parameters too.
In a `log` statement a list of options is a block (`junction`, `channel`, embedded sources).
Errors: InvocationError for data of any other form.
Source: "The configuration syntax in detail" of syslog-ng's administration guide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import InvocationError

#: Statements without an id.
_WITHOUT_ID = frozenset(("options", "log", "junction", "channel"))
_INDENT = "    "
#: Levels of parameters that are separated by commas.
_WITH_COMMAS = 2


def statement(name: str, config: Any) -> str:
    """Return the text of a statement."""
    kind, id, options = _parts(name, config)
    head = kind if kind in _WITHOUT_ID else f"{kind} {id}"
    lines = [f"{head} {{"]
    for option in _listed(options):
        lines += _indented(_of_log(*_pair(option)) if kind == "log" else _option(option, ";"))
    return "\n".join([*lines, "};", ""])


def _parts(name: str, config: Any) -> tuple[str, str, Any]:
    """Return type, id and options of a statement."""
    if isinstance(config, Mapping) and config:
        kind, options = next(iter(config.items()))
        return str(kind), name, options
    kind, found, id = name.partition(".")
    if not found or not isinstance(config, list):
        raise InvocationError(
            f"{name!r} needs a configuration {{type: [options]}}, or a name `type.id` and a list of options"
        )
    return kind, id, config


def _of_log(name: str, value: Any) -> list[str]:
    """Return the lines of an option of a `log` statement."""
    if name == "junction" and isinstance(value, list):
        inner = [_channel(*_pair(channel)) for channel in value]
    elif isinstance(value, list) and all(isinstance(one, Mapping) for one in value):
        inner = [_option(option, ";") for option in value]
    else:
        return _option({name: value}, ";")
    return [f"{name} {{", *(line for lines in inner for line in _indented(lines)), "};"]


def _channel(name: str, value: Any) -> list[str]:
    """Return the lines of a junction's channel, which has the options of a `log` statement."""
    if name != "channel":
        raise InvocationError(f"a junction holds channels, not {name!r}")
    inner = [_of_log(*_pair(option)) for option in _listed(value)]
    return ["channel {", *(line for lines in inner for line in _indented(lines)), "};"]


def _option(option: Any, end: str, depth: int = 0) -> list[str]:
    """Return the lines of an option or parameter, followed by `end`; deeply nested values get no commas."""
    if not isinstance(option, Mapping):
        return [f"{option}{end}"]
    name, value = _pair(option)
    values = _listed(value)
    comma = "," if depth < _WITH_COMMAS else ""
    inner = [
        _option(one, comma if number < len(values) else "", depth + 1)
        for number, one in enumerate(values, start=1)
    ]
    return [f"{name}(", *(line for lines in inner for line in _indented(lines)), f"){end}"]


def _pair(option: Any) -> tuple[str, Any]:
    if not isinstance(option, Mapping) or len(option) != 1:
        raise InvocationError(f"{option!r} is not one option with its value")
    ((name, value),) = option.items()
    return str(name), value


def _listed(value: Any) -> list[Any]:
    """Return the values of an option: a list, the entries of a mapping, one scalar, or none."""
    if isinstance(value, Mapping):
        return [{name: inner} for name, inner in value.items()]
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def _indented(lines: list[str]) -> Iterator[str]:
    return (_INDENT + line for line in lines)
