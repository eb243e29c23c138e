"""Names of public classes: one word means one thing in all core rooms.

A protocol may share its name with the class that implements it, as the glossary says.
"""

import ast
import collections
import functools
import pathlib

ROOT = pathlib.Path(__file__).parents[2]
CORE = ROOT / "salt_g"
#: Plugin rooms, whose classes are used only within their plugin; `compat/` has the names of stock.
PLUGINS = frozenset(
    (
        *("beacons", "cache_drivers", "compat", "engines", "executors", "output", "resources", "returners"),
        *("rosters", "runners", "sdb", "tops", "wheel"),
    )
)
#: Plugins of other rooms: their folders or files.
OTHER_PLUGINS = ("pillar/sources/", "render/mako.py", "render/pyobjects")
#: {name: reason}
SHARED = {"Checker": "the interface of each method of external authentication, which are plugins"}


@functools.cache
def classes():
    """Return {name: [(path below salt_g, whether the class is a protocol)]} of the public core classes."""
    found = collections.defaultdict(list)
    for path in sorted(CORE.rglob("*.py")):
        name = path.relative_to(CORE).as_posix()
        if name.split("/")[0] in PLUGINS or name.startswith(OTHER_PLUGINS):
            continue
        text = path.read_text()
        for node in ast.parse(text).body if "\nclass " in text else ():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append((name, _is_protocol(node)))
    return found


def _is_protocol(node):
    return any(ast.unparse(base).partition("[")[0] == "Protocol" for base in node.bases)


def test_no_two_core_classes_share_a_name():
    shared = {
        name: [path for path, _ in places]
        for name, places in classes().items()
        if sum(not is_protocol for _, is_protocol in places) > 1
    }

    assert shared.keys() - SHARED.keys() == set(), f"put the noun of the room in front: {shared}"
    assert SHARED.keys() - shared.keys() == set(), "these are unique now: remove their lines"


def test_no_two_protocols_share_a_name():
    shared = {
        name: [path for path, _ in places]
        for name, places in classes().items()
        if sum(is_protocol for _, is_protocol in places) > 1
    }

    assert shared == {}, "import the first of them, or put the noun of the room in front"
