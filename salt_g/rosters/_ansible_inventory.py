"""Inventories of Ansible: hosts, groups and variables from INI, YAML, JSON or a program.

Shapes: an Inventory has {group: Group}; a Group has hosts with their own variables, children, variables.
Variables of a group apply to its hosts and to those of its children. Children override their parents, and
a host's own variables override all.
`group_vars/` and `host_vars/` beside the inventory are read; encrypted values are not.
Errors: RosterError names file and line.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, RosterError, YamlError
from salt_g.formats import yaml_load
from salt_g.process.command import run

#: Group of all hosts.
ALL = "all"
#: Time limit of an inventory program (s).
_TIMEOUT = 60
#: Hosts of one range (`web[1:1000]`).
_MOST = 100_000
_RANGE = re.compile(r"\[(\w+):(\w+)(?::(\d+))?\]")
_SECTION = re.compile(r"\[([^\]:]+)(?::(\w+))?\]\s*(?:#.*)?")
_YAML = (".yml", ".yaml", ".json")


class Group(NamedTuple):
    """Members and variables of a group."""

    hosts: dict[str, dict[str, Any]]
    children: dict[str, None]
    variables: dict[str, Any]


class Inventory:
    """Groups of an inventory."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        self.group(ALL)

    def group(self, name: str) -> Group:
        """Return a group; create it if it does not exist."""
        return self.groups.setdefault(name, Group({}, {}, {}))

    def hosts(self) -> list[str]:
        """Return all hosts, in the order of the inventory."""
        return list(dict.fromkeys(host for group in self.groups.values() for host in group.hosts))

    def members(self, name: str) -> list[str]:
        """Return the hosts of a group and of the groups below it."""
        if name == ALL:
            return self.hosts()
        found: dict[str, None] = {}
        for below in self._below(name):
            found.update(dict.fromkeys(self.groups[below].hosts))
        return list(found)

    def variables(self, host: str) -> dict[str, Any]:
        """Return the variables of a host."""
        found = dict(self.groups[ALL].variables)
        holding = [name for name in self.groups if name != ALL and host in self.members(name)]
        # A group that contains others comes first, so that they override it.
        for name in sorted(holding, key=lambda name: (-len(self._below(name)), name)):
            found.update(self.groups[name].variables)
        for group in self.groups.values():
            found.update(group.hosts.get(host, {}))
        return found

    def _below(self, name: str) -> list[str]:
        """Return a group and the groups below it; a group that contains itself ends there."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            group = waiting.pop()
            if group not in found and group in self.groups:
                found[group] = None
                waiting += self.groups[group].children
        return list(found)


def read_inventory(path: str) -> Inventory:
    """Return the inventory in a file, or the output of an executable file; raise RosterError."""
    if not os.path.isfile(path):
        raise RosterError(f"the inventory {path} does not exist; name it by --roster-file")
    inventory = Inventory()
    if os.access(path, os.X_OK):
        _take_lists(inventory, _printed(path), path)
    elif path.endswith(_YAML):
        _take_tree(inventory, _loaded(path), path)
    else:
        _take_ini(inventory, path)
    _take_directories(inventory, os.path.dirname(os.path.abspath(path)))
    return inventory


def expanded(name: str) -> Iterator[str]:
    """Yield the hosts of a name with ranges, such as `web[01:20]` or `db[a:c]`."""
    found = _RANGE.search(name)
    if found is None:
        yield name
        return
    first, last, step = found[1], found[2], int(found[3] or 1) or 1
    for word in _words(first, last, step):
        yield from expanded(f"{name[: found.start()]}{word}{name[found.end() :]}")


def _words(first: str, last: str, step: int) -> Iterable[str]:
    if first.isdecimal() and last.isdecimal():
        numbers = range(int(first), int(last) + 1, step)
        if len(numbers) > _MOST:
            raise RosterError(f"the range {first}:{last} of an inventory has more than {_MOST} hosts")
        return [str(number).zfill(len(first)) for number in numbers]
    if len(first) == len(last) == 1:
        return [chr(code) for code in range(ord(first), ord(last) + 1, step)]
    raise RosterError(f"the range {first}:{last} of an inventory is neither of numbers nor of letters")


def _take_ini(inventory: Inventory, path: str) -> None:
    name, kind = "ungrouped", ""
    for number, line in enumerate(_text(path).splitlines(), 1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        section = _SECTION.fullmatch(text)
        try:
            if section is not None:
                name, kind = section[1], section[2] or ""
                inventory.group(name)
            else:
                _take_line(inventory, name, kind, text)
        except ValueError as exc:
            raise RosterError(f"the inventory {path} cannot be read: line {number}: {exc}") from exc


def _take_line(inventory: Inventory, name: str, kind: str, text: str) -> None:
    group = inventory.group(name)
    if kind == "vars":
        key, found, value = text.partition("=")
        if not found:
            raise ValueError("no `name=value`")
        group.variables[key.strip()] = _value(value.strip())
        return
    words = shlex.split(text, comments=True)
    if kind == "children":
        group.children[words[0]] = None
        inventory.group(words[0])
    elif kind in ("", "hosts"):
        own = dict(_pair(word) for word in words[1:])
        for host in expanded(words[0]):
            _take_host(group, host, own)
    else:
        raise ValueError(f"a section of the kind {kind!r} is unknown")


def _take_host(group: Group, host: str, variables: Mapping[str, Any]) -> None:
    """Add a host to a group; `name:port` gives it a port."""
    name, found, port = host.partition(":")
    if found and port.isdecimal() and ":" not in port:
        group.hosts.setdefault(name, {}).update({"ansible_port": int(port), **variables})
    else:
        group.hosts.setdefault(host, {}).update(variables)


def _pair(word: str) -> tuple[str, Any]:
    key, found, value = word.partition("=")
    if not found:
        raise ValueError(f"{word!r} is not like `name=value`")
    return key, _value(value)


def _value(text: str) -> Any:
    """Return a value of an INI inventory: a number, true or false, else text without its quotes."""
    if text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    if text.isdecimal() and (text == "0" or text[0] != "0"):
        return int(text)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _take_tree(inventory: Inventory, data: Any, path: str) -> None:
    """Add the groups of a YAML inventory."""
    if not isinstance(data, Mapping):
        raise RosterError(f"the inventory {path} holds no groups")
    waiting = list(data.items())
    while waiting:
        name, below = waiting.pop(0)
        group, parts = inventory.group(str(name)), below if isinstance(below, Mapping) else {}
        for host, own in (parts.get("hosts") or {}).items():
            for one in expanded(str(host)):
                _take_host(group, one, own if isinstance(own, Mapping) else {})
        group.variables.update(parts.get("vars") or {})
        children = parts.get("children") or {}
        group.children.update(dict.fromkeys(map(str, children)))
        waiting += children.items() if isinstance(children, Mapping) else ()


def _take_lists(inventory: Inventory, data: Mapping[str, Any], path: str) -> None:
    """Add the groups that an inventory program printed."""
    meta = data.get("_meta")
    known = meta.get("hostvars") if isinstance(meta, Mapping) else None
    for name, below in data.items():
        if name == "_meta":
            continue
        group = inventory.group(name)
        parts = below if isinstance(below, Mapping) else {"hosts": below}
        for host in parts.get("hosts") or ():
            own = known.get(host) if isinstance(known, Mapping) else None
            _take_host(group, str(host), own if isinstance(own, Mapping) else {})
        group.children.update(dict.fromkeys(map(str, parts.get("children") or ())))
        group.variables.update(parts.get("vars") or {})


def _take_directories(inventory: Inventory, directory: str) -> None:
    """Add the variables in `group_vars/` and `host_vars/` beside the inventory."""
    for name in list(inventory.groups):
        inventory.groups[name].variables.update(_variables(directory, "group_vars", name))
    for host in inventory.hosts():
        own = _variables(directory, "host_vars", host)
        for group in inventory.groups.values():
            if own and host in group.hosts:
                group.hosts[host].update(own)


def _variables(directory: str, folder: str, name: str) -> Mapping[str, Any]:
    if os.sep in name:
        return {}
    for suffix in ("", *_YAML):
        path = os.path.join(directory, folder, name + suffix)
        if os.path.isfile(path):
            data = _loaded(path)
            return data if isinstance(data, Mapping) else {}
    return {}


def _printed(path: str) -> Mapping[str, Any]:
    try:
        done = run([os.path.abspath(path), "--list"], timeout=_TIMEOUT)
        data = json.loads(done.out) if done.retcode == 0 else None
    except (CommandExecutionError, ValueError) as exc:
        raise RosterError(f"the inventory program {path} failed: {exc}") from exc
    if not isinstance(data, Mapping):
        raise RosterError(
            f"the inventory program {path} failed: {done.err.strip() or 'it printed no mapping'}"
        )
    return data


def _loaded(path: str) -> Any:
    try:
        return yaml_load.load(_text(path), name=path)
    except YamlError as exc:
        raise RosterError(f"the inventory {path} cannot be read: {exc}") from exc


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as exc:
        raise RosterError(f"the inventory {path} cannot be read: {exc}") from exc
