"""Ini files as text: parsing, changes and rendering that keep comments and order.

Shapes: a document is {option: value, section: {option: value}}, in the order of the file. Comment lines
are stored under keys that begin with `#`, so that they keep their position.
Source: stock's `ini` module; conformance cases `modules/ini`, `states/ini-manage`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_SECTION = re.compile(r"^\s*\[(.+?)\]\s*$")
_COMMENT = re.compile(r"^\s*[#;]")


class Document:
    """Ini file as nested dicts; a change of an option or of a whole new section is {"before", "after"}."""

    def __init__(self, text: str, separator: str = "=") -> None:
        self.separator = separator
        self._option = re.compile(r"(\s*)(.+?)\s*(" + re.escape(separator) + r")\s*(.*)\s*")
        self.data: dict[str, Any] = {}
        self._read(text)

    def set(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Set options and sections; return {key: change}, nested for a section that existed before."""
        changes = {}
        for key, value in wanted.items():
            if isinstance(value, Mapping):
                change = self._set_section(str(key), value)
            else:
                change = self._set_option(self.data, str(key), str(value))
            if change:
                changes[key] = change
        return changes

    def pop(self, section: str | None, option: str) -> Any:
        """Remove an option and return its value, None if missing."""
        return self._options_of(section).pop(option, None)

    def get(self, section: str | None, option: str) -> Any:
        """Return the value of an option, or None if missing."""
        return self._options_of(section).get(option)

    def plain(self) -> dict[str, Any]:
        """Return options and sections without comments."""
        return {
            key: without_comments(value) if isinstance(value, dict) else value
            for key, value in without_comments(self.data).items()
        }

    def text(self, *, spaces: bool = True) -> str:
        """Return the text of the file; `spaces` puts a space on each side of the separator."""
        lines = list(self._lines(self.data, spaces))
        for name, section in self.data.items():
            if isinstance(section, dict):
                lines += [*([""] if lines else []), f"[{name}]", *self._lines(section, spaces)]
        return "".join(f"{line}\n" for line in lines)

    def _options_of(self, section: str | None) -> dict[str, Any]:
        found = self.data.get(section) if section else self.data
        return found if isinstance(found, dict) else self.data if not section else {}

    def _read(self, text: str) -> None:
        options, body = self.data, []
        for line in text.splitlines():
            name = _SECTION.match(line)
            if not name:
                body.append(line)
                continue
            self._read_options(options, body)
            options, body = self.data.setdefault(name.group(1), {}), []
        self._read_options(options, body)

    def _read_options(self, options: dict[str, Any], lines: list[str]) -> None:
        """Parse the lines of one section; a line with more indentation continues the value above it."""
        indent, last = "", ""
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        for line in lines:
            found = self._option.match(line)
            inner = line[: len(line) - len(line.lstrip())].replace("\t", "    ")
            if _COMMENT.match(line):
                last = f"#comment{len(options) + 1}"
                options[last] = line
            elif last and inner > indent and line.strip():
                options[last] = f"{options[last]}\n{line}"
            elif found:
                indent, last = found.group(1).replace("\t", "    "), found.group(2)
                options[last] = found.group(4)
            else:
                last = f"#unknown{len(options) + 1}"
                options[last] = line

    def _set_section(self, name: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(self.data.get(name), dict):
            before = self.data.get(name)
            self.data[name] = {str(key): str(value) for key, value in wanted.items()}
            return {"before": before, "after": dict(self.data[name])}
        section = self.data[name]
        changes = {key: self._set_option(section, str(key), str(value)) for key, value in wanted.items()}
        return {key: change for key, change in changes.items() if change}

    def _set_option(self, options: dict[str, Any], key: str, value: str) -> dict[str, Any]:
        before = options.get(key)
        if before == value:
            return {}
        if key not in options:
            _replace_comment(options, key, self._commented(options, key))
        options[key] = value
        return {"before": before, "after": value}

    def _commented(self, options: dict[str, Any], key: str) -> str | None:
        """Return the key of the comment line that holds this option, or None if there is none."""
        for name, line in options.items():
            if name.startswith("#comment"):
                found = self._option.match(str(line).lstrip("#"))
                if found and found.group(2) == key:
                    return name
        return None

    def _lines(self, options: dict[str, Any], spaces: bool) -> Iterator[str]:
        between = self.separator.strip()
        if not between:
            between = " "
        elif spaces:
            between = f" {between} "
        for name, value in options.items():
            if name.startswith("#"):
                yield value
            elif not isinstance(value, dict):
                yield f"{name}{between}{value}"


def without_comments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without comments."""
    return {key: value for key, value in options.items() if not key.startswith("#")}


def _replace_comment(options: dict[str, Any], key: str, commented: str | None) -> None:
    """Insert a new option at the position of its commented-out form."""
    if commented is None:
        return
    items = [(key, None) if name == commented else (name, value) for name, value in options.items()]
    options.clear()
    options.update(items)
