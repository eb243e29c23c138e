"""Role of a place in the YAML of an SLS: state function, argument, requisite, include and so on.

Shapes: the input is a place with its enclosing keys, the result is a role; roles are the constants below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from salt_g.language_server.cursor import YamlPlace
from salt_g.state.compile.vocabulary import ENGINE_KEYS, MIRRORED, REQUISITES

#: Keys with a list of references to other states.
REQUISITE_KEYS = (REQUISITES | MIRRORED | {"use", "use_in"}) - {"onfail_stop", "prerequired"}
#: Arguments that every state accepts.
COMMON_ARGUMENTS = tuple(
    sorted({"name", "names", *ENGINE_KEYS} - {"fun", "state", "prerequired", "provider"})
)
_FUNCTION_ITEM = re.compile(r"^\s*-\s+(\w+)\s*$")

ID, FUNCTION, ARGUMENT, VALUE = "id", "function", "argument", "value"
REQUISITE, REFERENCE, SLS, NOTHING = "requisite", "reference", "sls", ""


class SlsPlace(NamedTuple):
    """Role of a place, with its context.

    `function` is the enclosing state function, '' if there is none, `pkg.` if it is incomplete.
    REQUISITE is an item of a requisite without a module yet, REFERENCE is the ID after the module `key`
    (`pkg: nginx`), VALUE is the value of the argument `key`.
    """

    role: str
    function: str = ""
    key: str = ""


def sls_place(place: YamlPlace, lines: Sequence[str]) -> SlsPlace:
    """Return the role of a place in an SLS."""
    keys, numbers = place.keys, place.lines
    if keys[:1] in (("include",), ("exclude",)):
        return SlsPlace(SLS) if place.is_item and place.key in ("", "sls", "base") else SlsPlace(NOTHING)
    if keys[:1] == ("extend",):
        keys, numbers = keys[1:], numbers[1:]
        if not keys:
            return SlsPlace(REFERENCE if not place.key else NOTHING)
    if not keys:
        return SlsPlace(ID if not place.key else NOTHING)
    if len(keys) == 1:
        return SlsPlace(FUNCTION) if not place.key and not place.is_item else SlsPlace(NOTHING)
    function = _function_of(keys[1], numbers[1], lines)
    if len(keys) == 2 and place.is_item:
        return _argument(place, function)
    if keys[2:3] and keys[2] in REQUISITE_KEYS and len(keys) == 3 and place.is_item:
        if not place.key:
            return SlsPlace(REQUISITE, function)
        return SlsPlace(SLS if place.key == "sls" else REFERENCE, function, place.key)
    return SlsPlace(VALUE, function, place.key)


def _argument(place: YamlPlace, function: str) -> SlsPlace:
    return SlsPlace(VALUE, function, place.key) if place.key else SlsPlace(ARGUMENT, function)


def _function_of(key: str, number: int, lines: Sequence[str]) -> str:
    """Return the state function of `pkg.installed:`, or of `pkg:` with an item `- installed` below it."""
    if "." in key:
        return key
    indent = len(lines[number]) - len(lines[number].lstrip(" "))
    for line in lines[number + 1 :]:
        if line.strip() and len(line) - len(line.lstrip(" ")) < indent:
            break
        if found := _FUNCTION_ITEM.match(line):
            return f"{key}.{found.group(1)}"
        if (
            line.strip()
            and not line.lstrip().startswith(("-", "#", "{"))
            and len(line) - len(line.lstrip(" ")) <= indent
        ):
            break
    return f"{key}."
