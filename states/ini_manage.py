"""States of options and sections of ini files (`ini`).

Source: stock's `ini` states; conformance case `states/ini-manage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome

__virtualname__ = "ini"

NOTHING = "No anomaly detected"
DONE = "Changes take effect"


def options_present(
    name: str,
    sections: Mapping[str, Any] | None = None,
    separator: str = "=",
    strict: bool = False,
    encoding: str | None = None,
    no_spaces: bool = False,
) -> StateReturn:
    """Ensure that options have these values.

    name
        The file.
    sections
        {section: {option: value}}; a key whose value is not a mapping is an option outside of sections.
    separator
        The text between option and value.
    strict
        Remove all other sections, and all other options in these sections and outside of sections.
    no_spaces
        Write no spaces around the separator.

    Example::

        salt-g state.single ini.options_present /etc/app.ini sections='{main: {debug: 1}}'
    """
    wanted = _ordered(sections or {})
    where = {"separator": separator, "encoding": encoding}
    try:
        now = call("ini.get_ini", name, **where)
        surplus = _surplus(now, wanted) if strict else {}
        if opts.get("test"):
            return _plan(name, now, wanted, surplus)
        changes = call("ini.set_option", name, wanted, no_spaces=no_spaces, **where)
        for section, keys in surplus.items():
            _remove(name, section, keys, now, changes, where)
    except (CommandExecutionError, OSError) as exc:
        return failed(name, str(exc))
    return changed(name, DONE, changes) if changes else as_wanted(name, NOTHING)


def options_absent(
    name: str,
    sections: Mapping[str, Any] | None = None,
    separator: str = "=",
    encoding: str | None = None,
) -> StateReturn:
    """Ensure that options do not exist.

    sections
        {section: [option]}, or {section: {option: any value}}; a key with another value is an option outside
        of sections.

    Example::

        salt-g state.single ini.options_absent /etc/app.ini sections='{main: [debug]}'
    """
    where = {"separator": separator, "encoding": encoding}
    returned: list[tuple[str, str | None, bool]] = []
    changes: dict[str, Any] = {}
    for section, keys in (sections or {}).items():
        for key in keys if isinstance(keys, (list, tuple, Mapping)) else [None]:
            place, option = (None, section) if key is None else (section, key)
            value = call("ini.get_option", name, place, option, **where)
            # A section of this name is not the option.
            is_there = value is not None and not isinstance(value, Mapping)
            returned.append((option, place, is_there))
            if is_there and not opts.get("test"):
                call("ini.remove_option", name, place, option, **where)
                _note(changes, place, option, value)
    if opts.get("test"):
        return _state_return(name, [_deleted(*one) for one in returned], any(there for *_, there in returned))
    return changed(name, DONE, changes) if changes else as_wanted(name, NOTHING)


def sections_present(
    name: str,
    sections: Iterable[str] | None = None,
    separator: str = "=",
    encoding: str | None = None,
) -> StateReturn:
    """Ensure that sections exist; new ones are empty.

    Example::

        salt-g state.single ini.sections_present /etc/app.ini sections='[main]'
    """
    where = {"separator": separator, "encoding": encoding}
    try:
        now = call("ini.get_ini", name, **where)
        missing = [section for section in sections or () if section not in now]
        if opts.get("test"):
            words = {True: "Created new section", False: "Section unchanged"}
            lines = [f"{words[section in missing]} {section}." for section in sections or ()]
            return _state_return(name, lines, bool(missing))
        if not missing:
            return as_wanted(name, NOTHING)
        made = call("ini.set_option", name, {section: {} for section in missing}, **where)
    except (CommandExecutionError, OSError) as exc:
        return failed(name, str(exc))
    return changed(name, DONE, made)


def sections_absent(
    name: str,
    sections: Iterable[str] | None = None,
    separator: str = "=",
    encoding: str | None = None,
) -> StateReturn:
    """Ensure that sections do not exist.

    Example::

        salt-g state.single ini.sections_absent /etc/app.ini sections='[main]'
    """
    where = {"separator": separator, "encoding": encoding}
    try:
        now = call("ini.get_ini", name, **where)
        if opts.get("test"):
            words = {True: "Deleted section {}.", False: "Section {} does not exist."}
            lines = [words[section in now].format(section) for section in sections or ()]
            return _state_return(name, lines, any(section in now for section in sections or ()))
        there = [section for section in sections or () if section in now]
        changes = {section: call("ini.remove_section", name, section, **where) for section in there}
    except (CommandExecutionError, OSError) as exc:
        return failed(name, str(exc))
    return changed(name, DONE, changes) if changes else as_wanted(name, NOTHING)


def _ordered(sections: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options outside of sections first, as in the file."""
    return dict(sorted(sections.items(), key=lambda item: isinstance(item[1], Mapping)))


def _surplus(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, list[str] | None]:
    """Return unwanted entries: {'': options outside of sections, section: its options or None for all}."""
    top = [key for key, value in now.items() if not isinstance(value, dict) and key not in wanted]
    surplus: dict[str, list[str] | None] = {"": top} if top else {}
    for section, options in now.items():
        if isinstance(options, dict):
            if not isinstance(wanted.get(section), Mapping):
                surplus[section] = None
            elif other := [key for key in options if key not in wanted[section]]:
                surplus[section] = other
    return surplus


def _remove(
    name: str,
    section: str,
    keys: list[str] | None,
    now: Mapping[str, Any],
    changes: dict[str, Any],
    where: dict[str, Any],
) -> None:
    if keys is None:
        call("ini.remove_section", name, section, **where)
        changes[section] = {"before": now[section], "after": None}
        return
    for key in keys:
        call("ini.remove_option", name, section or None, key, **where)
        before = now[section][key] if section else now[key]
        target = changes.setdefault(section, {}) if section else changes
        target[key] = {"before": before, "after": None}


def _plan(
    name: str, now: Mapping[str, Any], wanted: Mapping[str, Any], surplus: dict[str, Any]
) -> StateReturn:
    lines, differs = [], bool(surplus)

    def compare(option: str, value: Any, has: Any, place: str) -> None:
        nonlocal differs
        same = has is not None and str(has) == str(value)
        differs = differs or not same
        lines.append(f"{'Unchanged' if same else 'Changed'} key {option}{place}.")

    for key, value in wanted.items():
        if not isinstance(value, Mapping):
            compare(key, value, now.get(key), "")
    lines += [f"Removed key {key}." for key in surplus.get("") or ()]
    lines += [f"Removed section {section}." for section, keys in surplus.items() if keys is None]
    for section, options in wanted.items():
        if isinstance(options, Mapping):
            place = f" in section {section}" if section else ""
            lines += [f"Deleted key {key}{place}." for key in surplus.get(section) or ()]
            has = now.get(section)
            for option, value in options.items():
                compare(option, value, has.get(option) if isinstance(has, dict) else None, place)
    return outcome(name, None if differs else True, "".join(f"{line}\n" for line in lines))


def _note(changes: dict[str, Any], section: str | None, option: str, value: Any) -> None:
    if section is None:
        changes[option] = value
    else:
        changes.setdefault(section, {})[option] = value


def _deleted(option: str, section: str | None, there: bool) -> str:
    place = f" in section {section}" if section else ""
    return f"Deleted key {option}{place}." if there else f"Key {option}{place} does not exist."


def _state_return(name: str, lines: list[str], differs: bool) -> StateReturn:
    comment = "".join(f"{line}\n" for line in lines) or "No changes detected."
    return outcome(name, None if differs else True, comment)
