"""The folder tree as architecture: no file imports upwards or sideways."""

import ast
import collections
import pathlib

ROOT = pathlib.Path(__file__).parents[2]

FLOORS = [
    {"errors", "safe_files", "shapes"},
    {
        "data",
        "formats",
        "net",
        "process",
        "regex",
        "resource_model",
        "services",
        "stock_errors",
        "x509",
    },
    {"api", "config", "plugin_sync", "report", "telemetry", "wire"},
    {"loader", "render", "match", "output", "transport", "keys", "cache", "git"},
    {
        *("auth", "event", "files", "pillar", "state", "schedule"),
        *(
            "runners",
            "wheel",
            "returners",
            "beacons",
            "engines",
            "sdb",
            "tops",
            "executors",
            "resources",
            "rosters",
            "cache_drivers",
        ),
    },
    {"local_call", "cluster"},
    {"client", "lint"},
    {"compat", "http_api", "language_server", "master", "minion", "quickstart"},
    {"doctor", "install"},
    {"cli"},
    {"onefile"},
    {"packaging"},
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
ROOMS = ("modules", "states", "grains")
#: Files of a folder, `__init__.py` apart.
LARGEST_FOLDER = 25
#: What a plugin of a top-level room may import of salt_g besides its own room.
ROOMS_MAY_IMPORT = FLOORS[0] | FLOORS[1] | FLOORS[2]


def _sources():
    for top in ("salt_g", *ROOMS):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = list(path.relative_to(ROOT).with_suffix("").parts)
            if top in ROOMS:
                parts.insert(0, "salt_g")
            yield path, parts


def _imported(path, parts):
    """Yield the names below salt_g that a file imports, late imports included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            yield base
            yield from (base + [alias.name] for alias in node.names)


def _is_allowed(here, there):
    if here == there:
        return True
    if here in ROOMS:
        return there in ROOMS_MAY_IMPORT
    if there in ROOMS:
        return False
    return FLOOR[there] < FLOOR[here]


def test_no_file_imports_upwards_or_sideways():
    known = set(FLOOR) | set(ROOMS)
    wrong = set()
    for path, parts in _sources():
        if len(parts) < 2 or parts[1] == "__init__":
            continue
        here = parts[1]
        for target in _imported(path, parts):
            if target[:1] != ["salt_g"] or len(target) < 2 or target[1] not in known:
                continue
            if not _is_allowed(here, target[1]):
                wrong.add(f"{path.relative_to(ROOT)} imports salt_g.{target[1]}")

    assert not wrong, "\n".join(sorted(wrong))


def test_every_room_has_a_floor():
    rooms = {parts[1] for _, parts in _sources() if len(parts) > 1 and parts[1] != "__init__"}

    assert rooms <= set(FLOOR) | set(ROOMS)


def test_no_folder_of_the_package_is_crowded():
    folders = collections.Counter(
        str(path.parent.relative_to(ROOT))
        for path in (ROOT / "salt_g").rglob("*.py")
        if path.name != "__init__.py"
    )
    crowded = {folder: count for folder, count in folders.items() if count > LARGEST_FOLDER}

    assert crowded == {}, "divide them by duty; docs/architecture.md lists the parts"


def test_the_page_about_the_architecture_has_the_same_floors():
    import re

    rows = re.findall(r"^\| (\d+) \| ([^|]*) \|", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    written = {name: int(floor) for floor, names in rows for name in re.findall(r"`(\w+)(?:\.py|/)`", names)}
    rooms = {parts[1] for _, parts in _sources() if len(parts) > 1 and parts[1] != "__init__"}

    assert written == {name: FLOOR[name] for name in rooms - set(ROOMS)}


def test_the_page_names_every_package_of_a_divided_room():
    import re

    page = (ROOT / "docs/architecture.md").read_text()
    table = (
        page.partition("The large core rooms are divided by duty:")[2]
        .partition("\n\n")[2]
        .partition("\n\n")[0]
    )
    written, room = {}, ""
    for first, packages in re.findall(r"^\|([^|]*)\|([^|]*)\|", table, re.MULTILINE):
        room = first.strip("` /") or room
        written.setdefault(room, set()).update(re.findall(r"`(\w+)`", packages))
    written.pop("room")

    found = {
        room: {path.parent.name for path in (ROOT / "salt_g" / room).glob("*/__init__.py")}
        for room in written
    }
    assert written == found


def test_setup_cfg_lists_every_package():
    import configparser

    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = set(setup["options"]["packages"].split())
    found = {".".join(parts[:-1]) for path, parts in _sources() if path.name == "__init__.py"}

    assert listed == found
