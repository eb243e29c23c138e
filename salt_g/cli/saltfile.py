"""Values for options out of a Saltfile: `salt: {timeout: 20}` stands for `--timeout=20`.

Why its own file: stock's programs look for it in the same places. Options that the words give count more.
Shapes: a section is named after stock's program; its names are those of the options in stock.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

#: Environment variable that names the file.
VARIABLE = "SALT_SALTFILE"


def apply(options: argparse.Namespace, parser: argparse.ArgumentParser, section: str) -> str:
    """Set the options that the Saltfile gives and the words do not; return what is wrong with it, or ''."""
    path = options.saltfile or _found()
    if not path:
        return ""
    if not os.path.isfile(path):
        return f"'{path}' file does not exist."
    from salt_g.errors import YamlError
    from salt_g.formats import yaml_load

    try:
        with open(path, encoding="utf-8") as file:
            values: Any = yaml_load.load(file.read(), name=path)
    except (OSError, UnicodeDecodeError, YamlError) as exc:
        return f"the Saltfile {path} cannot be read: {exc}"
    given = values.get(section) if isinstance(values, dict) else None
    for name, value in given.items() if isinstance(given, dict) else ():
        if (
            isinstance(name, str)
            and hasattr(options, name)
            and getattr(options, name) == parser.get_default(name)
        ):
            if isinstance(value, (dict, list)):
                return f"the Saltfile {path} gives {name} more than one value: {value!r}"
            try:
                setattr(options, name, _read(name, value, parser))
            except (ValueError, TypeError):
                return f"the Saltfile {path} gives {name} a value that it cannot have: {value!r}"
    return ""


def _read(name: str, value: Any, parser: argparse.ArgumentParser) -> Any:
    """Return a value as the option of this name has it; raises ValueError and TypeError."""
    for action in parser._actions:
        if action.dest == name and value is not None:
            value = action.type(value) if callable(action.type) else value
            if action.nargs is None and action.type is None:
                value = str(value)
            if action.choices is not None and value not in action.choices:
                raise ValueError(value)
            break
    return value


def _found() -> str:
    """Return the Saltfile that nobody named: the environment's, this directory's, or the user's."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    places = ("Saltfile", os.path.join(os.path.expanduser("~"), ".salt", "Saltfile"))
    return next(filter(_is_ours, places), "")


def _is_ours(path: str) -> bool:
    """Return whether a file is there and is ours or root's: others must not say what we run with."""
    try:
        owner = os.stat(path).st_uid
    except OSError:
        return False
    if owner not in (0, os.geteuid()):
        print(f"{os.path.abspath(path)} is not used: it belongs to another user", file=sys.stderr)
        return False
    return os.path.isfile(path)
