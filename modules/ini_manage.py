"""Options and sections of ini files (`ini`).

A missing file has no options; writing creates it. `encoding` is UTF-8 by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _text_file
from salt_g.modules._ini import Document, without_comments

__virtualname__ = "ini"


def set_option(
    file_name: str,
    sections: Mapping[str, Any] | None = None,
    separator: str = "=",
    encoding: str | None = None,
    no_spaces: bool = False,
) -> dict[str, Any]:
    """Set options; return the changes, {key: {"before", "after"}}.

    sections
        {section: {option: value}}; a value that is not a mapping is an option outside of sections.
    separator
        Text between option and value.
    no_spaces
        Write no spaces around the separator.

    Example::

        salt-g ini.set_option /path/to/ini '{section_foo: {key: value}}'
    """
    document = _open(file_name, separator, encoding)
    changes = document.set(sections or {})
    _write(file_name, document, encoding, spaces=not no_spaces)
    return changes


def get_option(
    file_name: str, section: str | None, option: str, separator: str = "=", encoding: str | None = None
) -> Any:
    """Return the value of an option, or None if there is none.

    Example::

        salt-g ini.get_option /path/to/ini section_name option_name
    """
    return _open(file_name, separator, encoding).get(section, option)


def remove_option(
    file_name: str, section: str | None, option: str, separator: str = "=", encoding: str | None = None
) -> Any:
    """Remove an option; return its value, None if there was none.

    Example::

        salt-g ini.remove_option /path/to/ini section_name option_name
    """
    document = _open(file_name, separator, encoding)
    value = document.pop(section, option)
    if value is not None:
        _write(file_name, document, encoding)
    return value


def get_section(
    file_name: str, section: str, separator: str = "=", encoding: str | None = None
) -> dict[str, Any]:
    """Return the options of a section, or {} if there is none.

    Example::

        salt-g ini.get_section /path/to/ini section_name
    """
    found = _open(file_name, separator, encoding).plain().get(section, {})
    if not isinstance(found, dict):
        raise CommandExecutionError(f"{section!r} of {file_name} is an option and not a section")
    return found


def remove_section(
    file_name: str, section: str, separator: str = "=", encoding: str | None = None
) -> dict[str, Any] | None:
    """Remove a section; return its options, None when there was none.

    Example::

        salt-g ini.remove_section /path/to/ini section_name
    """
    document = _open(file_name, separator, encoding)
    if section not in document.data:
        return None
    removed = document.data.pop(section)
    _write(file_name, document, encoding)
    return without_comments(removed) if isinstance(removed, dict) else removed


def get_ini(file_name: str, separator: str = "=", encoding: str | None = None) -> dict[str, Any]:
    """Return all options and sections: {option: value, section: {option: value}}.

    Example::

        salt-g ini.get_ini /path/to/ini
    """
    return _open(file_name, separator, encoding).plain()


def _open(file_name: str, separator: str, encoding: str | None) -> Document:
    try:
        return Document(_text_file.read(file_name, encoding or "utf-8"), separator)
    except (OSError, LookupError) as exc:
        raise CommandExecutionError(f"Unable to open file '{file_name}'. Exception: {exc}") from exc


def _write(file_name: str, document: Document, encoding: str | None, *, spaces: bool = True) -> None:
    try:
        _text_file.rewrite(file_name, document.text(spaces=spaces), encoding=encoding or "utf-8")
    except OSError as exc:
        raise CommandExecutionError(f"Unable to write file '{file_name}'. Exception: {exc}") from exc
