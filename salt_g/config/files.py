"""Discovery and reading of config files: the main file, its drop-ins, and included files.

Only this file reads config files; checking values needs no disk access.

Shapes: a `Reading` holds values by name, and the location ("FILE:LINE") of each top-level name.
Errors: none raised; read errors are collected in `problems`.
Source: stock's order, in which `*.d/*.conf` files merge among themselves (lists are joined), and then
replace names of the main file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Any

from salt_g.data.nested import merge_recursive
from salt_g.errors import YamlError

#: Environment variable that names the config directory.
DIRECTORY_VARIABLE = "SALT_G_CONFIG_DIR"
#: Config directories; the first that exists is used.
STANDARD_DIRECTORIES = ("/etc/salt-g", "/etc/salt")


class Reading:
    """Values, locations, problems and warnings of the config files read so far."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str] = {}
        self.problems: list[str] = []
        self.warnings: list[str] = []
        #: Paths of the files, in the order of reading.
        self.files: list[str] = []

    def replace_by(self, other: Reading) -> None:
        """Add the values of `other`, replacing those of the same names."""
        self.values.update(other.values)
        self._note(other)

    def merge(self, other: Reading) -> None:
        """Merge in the values of `other`; lists are joined, mappings merge key by key."""
        self.values = merge_recursive(self.values, other.values, merge_lists=True)
        self._note(other)

    def _note(self, other: Reading) -> None:
        self.origins.update(other.origins)
        self.problems += other.problems
        self.warnings += other.warnings
        self.files += other.files


def directory_problem(directory: str | None) -> str:
    """Return the problem with the config directory from `-c` or the environment; '' if there is none."""
    chosen = directory or os.environ.get(DIRECTORY_VARIABLE)
    path = os.path.expanduser(chosen or "")
    if not chosen or os.path.isdir(path):
        return ""
    if os.path.isfile(path):
        beside = os.path.dirname(path) or "."
        return f"config directory {chosen!r} is a file; give the directory that contains it: -c {beside}"
    return f"config directory {chosen!r} does not exist; correct -c, or create it"


def without_own_file(directory: str | None, role: str) -> str:
    """Return a warning if only another role has a file in the config directory; '' otherwise."""
    path = find_directory(directory)
    if os.path.exists(os.path.join(path, role)) or os.path.isdir(os.path.join(path, f"{role}.d")):
        return ""
    others = [name for name in ("master", "minion") if os.path.isfile(os.path.join(path, name))]
    if not others:
        return ""
    return f"{path} has no file {role!r}, only {others[0]!r}: this {role} runs with default settings"


def find_directory(directory: str | None) -> str:
    """Return the config directory that is given, or set in the environment, or the standard one."""
    chosen = directory or os.environ.get(DIRECTORY_VARIABLE)
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    return next(filter(os.path.isdir, STANDARD_DIRECTORIES), STANDARD_DIRECTORIES[-1])


def read_all(path: str, default_include: str) -> Reading:
    """Read the main config file and all files it includes.

    A missing main file counts as empty, because local use needs no config. `default_include` is the glob of
    further files (relative to the main file's directory), unless the main file sets another.
    """
    found = read_file(path) if _may_be_file(path) else Reading()
    beside = found.values.get("default_include", default_include)
    named = found.values.get("include")
    found.replace_by(_read_included(beside, (path,), may_be_empty=True))
    found.replace_by(_read_included(named, (path,)))
    return found


def read_file(path: str) -> Reading:
    """Read one file, without its includes."""
    found = Reading()
    found.files.append(path)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        values, lines = _parse(text, path)
    except OSError as exc:
        found.problems.append(f"{path}: cannot be read: {exc.strerror}")
    except UnicodeDecodeError as exc:
        found.problems.append(
            f"{path}: not UTF-8 text: byte {exc.object[exc.start]:#04x} at offset {exc.start}"
        )
    except YamlError as exc:
        found.problems.append(_yaml_problem(path, text, exc))
    else:
        _take(found, path, values, lines)
    return found


def _may_be_file(path: str) -> bool:
    """Return whether a path can be a file; True if it is inaccessible, so that reading reports the error."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _take(found: Reading, path: str, values: Any, lines: dict[str, int]) -> None:
    if values is None:
        return
    if not isinstance(values, dict):
        kind = type(values).__name__
        found.problems.append(
            f"{path}: a config file must be a mapping of settings (`name: value`), not a {kind}"
        )
        return
    # YAML reads names such as `on` or `1` as other types than text.
    found.values = {str(name): value for name, value in values.items()}
    found.origins = {name: f"{path}:{lines[name]}" if name in lines else path for name in found.values}


def _read_included(globs: Any, paths: tuple[str, ...], *, may_be_empty: bool = False) -> Reading:
    """Read the files included by the last of `paths`, the chain of includes that led to it."""
    found = Reading()
    for pattern in [globs] if isinstance(globs, str) else _texts(globs):
        full = os.path.join(os.path.dirname(paths[-1]), os.path.expanduser(pattern))
        matches = _matches(full, found)
        if not matches and not may_be_empty:
            found.warnings.append(f"{paths[-1]}: include {pattern!r} matches no file")
        for match in map(os.path.normpath, matches):
            if match in paths:
                found.problems.append(f"{paths[-1]}: includes itself: {' -> '.join([*paths, match])}")
            else:
                found.merge(_read_with_includes((*paths, match)))
    return found


def _read_with_includes(paths: tuple[str, ...]) -> Reading:
    found = read_file(paths[-1])
    further = found.values.get("include")
    if further:
        found.replace_by(_read_included(further, paths))
    return found


def _texts(globs: Any) -> Iterable[str]:
    return [item for item in globs if isinstance(item, str)] if isinstance(globs, list) else []


def _matches(pattern: str, found: Reading) -> list[str]:
    """Return the files matching a pattern; a directory that cannot be listed adds a warning or a problem."""
    try:
        return _glob(pattern)
    except PermissionError as exc:
        # Clients of unprivileged users continue with the files they can read.
        found.warnings.append(f"{exc.filename}: cannot be listed: {exc.strerror}")
    except OSError as exc:
        found.problems.append(f"{exc.filename}: cannot be listed: {exc.strerror}")
    return []


def _glob(pattern: str) -> list[str]:
    directory, name = os.path.split(pattern)
    # The usual case, `/etc/salt-g/minion.d/*.conf`, without loading `glob`.
    if name == "*.conf" and not any(char in directory for char in "*?["):
        return _conf_files(directory)
    import glob

    return sorted(glob.glob(pattern))


def _conf_files(directory: str) -> list[str]:
    try:
        names = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [
        os.path.join(directory, name)
        for name in sorted(names)
        if name.endswith(".conf") and not name.startswith(".")
    ]


def _parse(text: str, path: str) -> tuple[Any, dict[str, int]]:
    if text.startswith("{"):
        import json

        # JSON is valid YAML and needs no YAML parser; other flow YAML is read below.
        try:
            return json.loads(text), _json_lines(text)
        except (ValueError, RecursionError):
            # The YAML parser reports the error and its location.
            pass
    from salt_g.formats.yaml_block import Declined, read_block

    try:
        return read_block(text, dict), _block_lines(text)
    except Declined:
        pass
    from salt_g.formats import yaml_load

    values, lines = yaml_load.load_located(text, name=path, depth=1)
    return values, {key[0]: line for key, line in lines.items() if len(key) == 1 and isinstance(key[0], str)}


def _block_lines(text: str) -> dict[str, int]:
    """Return {name: line} of plain block YAML, where names begin in the first column."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name, colon, _ = line.partition(":")
        if colon and name[:1] not in (" ", "#", "-"):
            lines[name.rstrip().strip("'\"")] = number
    return lines


def _json_lines(text: str) -> dict[str, int]:
    """Return {name: line} of generated JSON; empty if it is all on one line."""
    lines: dict[str, int] = {}
    least = None
    for number, line in enumerate(text.splitlines()[1:], 2):
        bare = line.lstrip()
        if bare.startswith('"') and (least is None or len(line) - len(bare) == least):
            least = len(line) - len(bare)
            lines.setdefault(bare[1:].partition('"')[0], number)
    return lines


def _yaml_problem(path: str, text: str, exc: YamlError) -> str:
    reasons = [line for line in str(exc).splitlines() if not line.lstrip().startswith("in ")]
    lines = text.splitlines()
    line = lines[exc.line - 1] if 0 < exc.line <= len(lines) else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return f"{path}:{exc.line}: not YAML: the line is indented with a tab; use spaces"
    shown = f": {line!r}" if line else ""
    return f"{path}:{exc.line}: not YAML: {', '.join(reasons)}{shown}"
