"""Target of the name at the cursor: a function, an argument, a state, an SLS, a file, a key of pillar.

Shapes: the input is a document, its place and a position; the result is a CursorTarget with its range.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import salt_g.language_server.sls_place as roles
from salt_g.language_server.cursor import YamlPlace, jinja_place, word_at, yaml_place
from salt_g.language_server.documents import Document, Position, index_of_unit, lines_in
from salt_g.language_server.overlay import TreeFile
from salt_g.language_server.sls_place import sls_place

STATE_FUNCTION, EXECUTION_FUNCTION, ARGUMENT = "state function", "execution function", "argument"
STATE, SLS, FILE, NAME, PILLAR, GRAINS = "state", "sls", "file", "name", "pillar", "grains"
_URL = re.compile(r"salt://([^\s'\"?,\]}]+)")
_IMPORT = re.compile(
    r"\{%-?\s*from\s+(?:(\w+)\s*~\s*)?[\"']([^\"']+)[\"']\s+"
    r"import\s+([^%]+?)(?:\s+with(?:out)?\s+context)?\s*-?%\}"
)


class CursorTarget(NamedTuple):
    """Thing that a name refers to; `start` and `end` are the indexes of the name in its line.

    `name` is the name of a function, argument, state, SLS, or macro or variable (NAME), or the path of a
    file. `about` is the function of an argument, the module of a state, or the template from which a NAME is
    imported.
    `path` are the nested keys of pillar or grains.
    """

    kind: str
    name: str
    start: int
    end: int
    about: str = ""
    path: tuple[str, ...] = ()


def target_at(
    document: Document, place: TreeFile | None, position: Position, top: str = "top.sls"
) -> CursorTarget | None:
    """Return the target of the name at a position, or None; `top` is the path of the top file in its root."""
    line = document.line(position.line)
    column = index_of_unit(line, position.character)
    for found in _URL.finditer(line):
        if found.start() <= column <= found.end() and "{{" not in found.group(1):
            return CursorTarget(FILE, found.group(1), *found.span())
    if target := _in_jinja(document, place, position.line, line, column):
        return target
    if place is None or not document.path.endswith(".sls") or line.lstrip().startswith(("#", "{%")):
        return None
    return _in_yaml(document, place, position.line, column, top)


def _in_jinja(
    document: Document, place: TreeFile | None, number: int, line: str, column: int
) -> CursorTarget | None:
    start, end = word_at(line, column, r"\w-")
    before = document.before(Position(number, 0))
    found = jinja_place(before + line[:end])
    if found is None:
        return _of_variable(document, place, before, line, start, end)
    if found.kind == "function":
        start, end = word_at(line, column, r"\w.")
        name = line[start:end].removeprefix("salt.")
        return CursorTarget(EXECUTION_FUNCTION, name, end - len(name), end)
    if found.kind == "template":
        start, end = word_at(line, column, r"\w./@+-")
        return CursorTarget(FILE, line[start:end], start, end)
    kind = PILLAR if found.kind == "pillar" else GRAINS
    return (
        CursorTarget(kind, found.prefix, start, end, path=(*found.path, found.prefix))
        if found.prefix
        else None
    )


def _directory(variable: str | None, place: TreeFile | None) -> str:
    """Return the directory that a variable adds before a template's path, or '' if it is unknown."""
    if variable is None or place is None:
        return ""
    if variable == "tplroot":
        return place.relative.partition("/")[0]
    return place.relative.rpartition("/")[0] if variable in ("tpldir", "slspath") else ""


def _of_variable(
    document: Document, place: TreeFile | None, before: str, line: str, start: int, end: int
) -> CursorTarget | None:
    """Return the target of a macro or variable in Jinja, defined in this file or imported, or None."""
    text, name = before + line[:end], line[start:end]
    begin = max(text.rfind("{{"), text.rfind("{%"))
    if begin <= max(text.rfind("}}"), text.rfind("%}")) or not name.isidentifier():
        return None
    for found in _IMPORT.finditer(document.text):
        for part in found.group(3).split(","):
            words = part.split()
            if words and name in (words[0], words[-1]):
                template = _directory(found.group(1), place) + found.group(2)
                return CursorTarget(NAME, words[0], start, end, about=template)
    return CursorTarget(NAME, name, start, end)


def definition_line(text: str, name: str) -> int:
    """Return the line (from 1) that defines a macro or variable in a template, or 0 if there is none."""
    wanted = re.compile(rf"\{{%-?\s*(?:macro|set|call)\s+{re.escape(name)}\b")
    return next((number for number, line in enumerate(lines_in(text), 1) if wanted.search(line)), 0)


def _in_yaml(document: Document, place: TreeFile, number: int, column: int, top: str) -> CursorTarget | None:
    lines = lines_in(document.text)
    line = lines[number]
    whole = yaml_place(lines, number, len(line.rstrip()))
    text = whole.prefix.strip()
    start = line.rfind(text) if text else len(line)
    if whole.key and (column < start or not text):
        key_start = line.find(whole.key)
        return _of_key(whole, lines, place, key_start)
    name = text.strip("\"'")
    start = line.rfind(name)
    end = start + len(name)
    if not name or not start <= column <= end:
        return None
    if place.relative == top:
        return CursorTarget(SLS, name, start, end) if len(whole.keys) == 2 and whole.is_item else None
    if place.setting == "pillar_roots":
        return CursorTarget(SLS, name, start, end) if whole.keys == ("include",) else None
    found = sls_place(whole, lines)
    if found.role == roles.SLS:
        return CursorTarget(SLS, name, start, end)
    if found.role in (roles.REFERENCE, roles.REQUISITE):
        return CursorTarget(STATE, name, start, end, about=found.key)
    if found.role == roles.ARGUMENT and found.function.endswith(f".{name}"):
        return CursorTarget(STATE_FUNCTION, found.function, start, end)
    return None


def _of_key(whole: YamlPlace, lines: list[str], place: TreeFile, start: int) -> CursorTarget | None:
    """Return the target of the key in a line, or None."""
    end = start + len(whole.key)
    name = whole.key.strip("\"'")
    if place.setting == "pillar_roots" or start < 0:
        return None
    found = sls_place(whole._replace(key="", prefix=name), lines)
    if found.role == roles.FUNCTION:
        function = name if "." in name else sls_place(_inside(whole, lines), lines).function
        return CursorTarget(STATE_FUNCTION, function, start, end)
    if found.role == roles.ARGUMENT:
        return CursorTarget(ARGUMENT, name, start, end, about=found.function)
    if found.role in (roles.ID, roles.REFERENCE) and name not in ("include", "extend", "exclude"):
        return CursorTarget(STATE, name, start, end)
    if found.role == roles.REQUISITE:
        value = whole.prefix.strip().strip("\"'")
        is_sls = name == "sls"
        return CursorTarget(SLS if is_sls else STATE, value, start, end, about="" if is_sls else name)
    return None


def _inside(whole: YamlPlace, lines: list[str]) -> YamlPlace:
    """Return the place of a list item below the key in a line."""
    number = next(
        (
            at
            for at, line in enumerate(lines)
            if line.strip().rstrip(":") == whole.key and at > whole.lines[-1]
        ),
        whole.lines[-1],
    )
    return YamlPlace((*whole.keys, whole.key), (*whole.lines, number), True, "", "")
