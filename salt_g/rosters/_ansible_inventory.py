"""Ansible inventories: hosts, groups and variables from files, a program, or a directory of these.

Files are INI, YAML or JSON.
Shapes: an Inventory has {group: Group}; a Group has hosts (with their own variables), children and
variables.
Variables of a group apply to its hosts and to the hosts of its children. Children override their parents,
and a host's own variables override all.
`group_vars/` and `host_vars/` beside the inventory are read; encrypted values are left out, with a warning.
Errors: RosterError names the file and, where known, the line.
"""

from __future__ import annotations

import ast
import json
import logging
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, RosterError, YamlError
from salt_g.formats import yaml_load
from salt_g.process.command import run

log = logging.getLogger(__name__)

#: Name of the group of all hosts.
ALL = "all"
#: Time limit of an inventory program (s).
_TIMEOUT = 60
#: Maximum number of hosts in one range (`web[1:1000]`).
_MOST = 100_000
_RANGE = re.compile(r"\[(\w+):(\w+)(?::(\d+))?\]")
_SECTION = re.compile(r"\[([^\]:]+)(?::(\w+))?\]\s*(?:#.*)?")
_YAML = (".yml", ".yaml", ".json")
#: Suffixes of files in a directory that Ansible does not read as inventories.
_NO_INVENTORY = (
    *("~", ".pyc", ".pyo", ".swp", ".bak", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry"),
)
_VARIABLES = ("group_vars", "host_vars")
#: Ansible's own YAML tags, which mark a text as encrypted, or as not to be rendered.
_TAG = re.compile(r"(?<=[\s:\[{,-])!(?:vault|vault-encrypted|unsafe)(?=\s)")
_ENCRYPTED = "$ANSIBLE_VAULT;"
#: INI values read as Python literals; except for non-negative integers, all others are text.
_LITERAL = re.compile(r"True|False|None|-?\d+\.\d+|-[1-9]\d*|[\[{(].*[\]})]|'.*'|\".*\"")


class Group(NamedTuple):
    """Members and variables of a group."""

    hosts: dict[str, dict[str, Any]]
    children: dict[str, None]
    variables: dict[str, Any]


class Inventory:
    """Groups of an inventory."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        #: {host: its groups}, collected at the first request for variables.
        self._holders: dict[str, list[str]] | None = None
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
        """Return the variables of a host; groups override each other in Ansible's order."""
        found = dict(self.groups[ALL].variables)
        if self._holders is None:
            self._holders = self._found_holders()
        for name in self._holders.get(host, ()):
            found.update(self.groups[name].variables)
        for group in self.groups.values():
            found.update(group.hosts.get(host, {}))
        return found

    def _found_holders(self) -> dict[str, list[str]]:
        """Return {host: its groups, in ascending order of precedence}."""
        depths, found = self._depths(), dict[str, list[str]]()
        names = (name for name in self.groups if name != ALL)
        for name in sorted(names, key=lambda name: (depths[name], self._priority(name), name)):
            for host in self.members(name):
                found.setdefault(host, []).append(name)
        return found

    def _priority(self, name: str) -> int:
        try:
            return int(self.groups[name].variables.get("ansible_group_priority", 1))
        except (TypeError, ValueError):
            return 1

    def _depths(self) -> dict[str, int]:
        """Return the depth of each group: the length of the longest path from a top-level group."""
        found = dict.fromkeys(self.groups, 0)
        # No path is longer than the number of groups, which also ends the loop if groups contain each other.
        for _ in self.groups:
            before = dict(found)
            for name, group in self.groups.items():
                for child in group.children:
                    if child in found and name != ALL:
                        found[child] = max(found[child], before[name] + 1)
            if found == before:
                break
        return found

    def _below(self, name: str) -> list[str]:
        """Return a group and all groups below it, each once, even if a group contains itself."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            group = waiting.pop()
            if group not in found and group in self.groups:
                found[group] = None
                waiting += self.groups[group].children
        return list(found)


def read_inventory(path: str) -> Inventory:
    """Return the inventory in a file or directory, or printed by an executable file; raises RosterError."""
    inventory = Inventory()
    for file in _files(path):
        if os.access(file, os.X_OK):
            _take_lists(inventory, _printed(file), file)
        elif file.endswith(_YAML):
            _take_tree(inventory, _loaded(file), file)
        else:
            _take_ini(inventory, file)
    _take_directories(inventory, path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)))
    return inventory


def _files(path: str) -> list[str]:
    """Return the files of an inventory; files in a directory are sorted by name."""
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        raise RosterError(f"the inventory {path} does not exist; name another one with --roster-file")
    found: list[str] = []
    for top, directories, names in os.walk(path):
        directories[:] = sorted(one for one in directories if one not in _VARIABLES and one[0] != ".")
        found += [
            os.path.join(top, name)
            for name in sorted(names)
            if name[0] != "." and not name.endswith(_NO_INVENTORY)
        ]
    if not found:
        raise RosterError(f"the directory {path} contains no inventory")
    return found


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
    raise RosterError(f"a range of an inventory needs two numbers or two letters, not {first}:{last}")


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
            raise ValueError("expected `name=value`")
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
        raise ValueError(f"the section kind {kind!r} is unknown")


def _take_host(group: Group, host: str, variables: Mapping[str, Any]) -> None:
    """Add a host to a group; `name:port` also sets its port."""
    name, found, port = host.partition(":")
    if found and port.isdecimal() and ":" not in port:
        group.hosts.setdefault(name, {}).update({"ansible_port": int(port), **variables})
    else:
        group.hosts.setdefault(host, {}).update(variables)


def _pair(word: str) -> tuple[str, Any]:
    key, found, value = word.partition("=")
    if not found:
        raise ValueError(f"{word!r} is not of the form `name=value`")
    return key, _value(value)


def _value(text: str) -> Any:
    """Parse a value of an INI inventory: a number or another Python literal, else text."""
    if text.isdecimal() and (text == "0" or text[0] != "0"):
        return int(text)
    if _LITERAL.fullmatch(text):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return text
    return text


def _take_tree(inventory: Inventory, data: Any, path: str) -> None:
    """Add the groups of a YAML inventory."""
    if not isinstance(data, Mapping):
        raise RosterError(f"the inventory {path} contains no groups")
    waiting = list(data.items())
    while waiting:
        name, below = waiting.pop(0)
        group, parts = inventory.group(str(name)), below if isinstance(below, Mapping) else {}
        for host, own in _part(parts, "hosts", str(name), path).items():
            for one in expanded(str(host)):
                _take_host(group, one, _readable(own, path) if isinstance(own, Mapping) else {})
        group.variables.update(_readable(_part(parts, "vars", str(name), path), path))
        children = _part(parts, "children", str(name), path)
        group.children.update(dict.fromkeys(map(str, children)))
        waiting += children.items()


def _part(parts: Mapping[Any, Any], name: str, group: str, path: str) -> Mapping[Any, Any]:
    """Return a part of a group, {} if it is missing; raise RosterError if it is not a mapping."""
    found = parts.get(name) or {}
    if not isinstance(found, Mapping):
        raise RosterError(
            f"the inventory {path} cannot be read: {name} of the group {group} is not a mapping"
            " (write each name with a colon)"
        )
    return found


def _take_lists(inventory: Inventory, data: Mapping[str, Any], path: str) -> None:
    """Add the groups that an inventory program printed."""
    meta = data.get("_meta")
    known = meta.get("hostvars") if isinstance(meta, Mapping) else None
    asked: dict[str, Mapping[str, Any]] = {}
    for name, below in data.items():
        if name == "_meta":
            continue
        group = inventory.group(name)
        parts = below if isinstance(below, Mapping) else {"hosts": below}
        for host in map(str, parts.get("hosts") or ()):
            if known is None and host not in asked:  # Without `_meta`, run the program once per host.
                asked[host] = _printed(path, "--host", host)
            own = asked.get(host) or (known.get(host) if isinstance(known, Mapping) else None)
            _take_host(group, host, own if isinstance(own, Mapping) else {})
        group.children.update(dict.fromkeys(map(str, parts.get("children") or ())))
        group.variables.update(_part(parts, "vars", name, path))


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
    """Return the variables of a group or host, from its file or from all files in its directory."""
    if os.sep in name:
        return {}
    place = os.path.join(directory, folder, name)
    if os.path.isdir(place):
        found: dict[str, Any] = {}
        for top, directories, names in os.walk(place):
            directories.sort()
            for file in sorted(names):
                if file[0] != "." and ("." not in file or file.endswith(_YAML)):
                    found.update(_of_file(os.path.join(top, file)))
        return found
    path = next((place + suffix for suffix in ("", *_YAML) if os.path.isfile(place + suffix)), "")
    return _of_file(path) if path else {}


def _of_file(path: str) -> Mapping[str, Any]:
    data = _loaded(path)
    if isinstance(data, str) and data.startswith(_ENCRYPTED):
        log.warning("%s is encrypted, so its variables are left out", path)
    return _readable(data, path) if isinstance(data, Mapping) else {}


def _readable(variables: Mapping[Any, Any], path: str) -> dict[str, Any]:
    """Return the variables that are not encrypted."""
    found = {str(name): value for name, value in variables.items()}
    for name, value in list(found.items()):
        if isinstance(value, str) and value.startswith(_ENCRYPTED):
            log.warning("%s: the variable %s is encrypted, so it is left out", path, name)
            del found[name]
    return found


def _printed(path: str, *words: str) -> Mapping[str, Any]:
    """Run an inventory program with arguments (default: `--list`) and return its JSON output."""
    try:
        done = run([os.path.abspath(path), *(words or ("--list",))], timeout=_TIMEOUT)
        data = json.loads(done.out) if done.retcode == 0 else None
    except (CommandExecutionError, ValueError) as exc:
        raise RosterError(f"the inventory program {path} failed: {exc}") from exc
    if not isinstance(data, Mapping):
        raise RosterError(
            f"the inventory program {path} failed: {done.err.strip() or 'its output is not a JSON object'}"
        )
    return data


def _loaded(path: str) -> Any:
    try:
        return yaml_load.load(_TAG.sub("", _text(path)), name=path)
    except YamlError as exc:
        raise RosterError(f"the inventory {path} cannot be read: {exc}") from exc


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as exc:
        raise RosterError(f"the inventory {path} cannot be read: {exc}") from exc
