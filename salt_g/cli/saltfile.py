"""Option values from a Saltfile: `salt: {timeout: 20}` is the same as `--timeout=20`.

The file is searched for where stock's programs search for it. Command-line options take precedence.
Shapes: a section is named after stock's program; its keys are stock's option names.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from salt_g.cli.options import OptionParser

#: Environment variable with the path of the Saltfile.
VARIABLE = "SALT_SALTFILE"


def split(parser: OptionParser, words: list[str], section: str) -> tuple[argparse.Namespace, list[str]]:
    """Return the options, completed from the Saltfile, and the positional arguments."""
    options, rest = parser.split(words)
    if problem := apply(options, parser, section):
        parser.error(problem)
    return options, rest


def apply(options: argparse.Namespace, parser: argparse.ArgumentParser, section: str) -> str:
    """Set options from the Saltfile unless given on the command line; return an error text, or ''."""
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
                return f"the Saltfile {path} has more than one value for {name}: {value!r}"
            try:
                setattr(options, name, _read(name, value, parser))
            except (ValueError, TypeError):
                return f"the Saltfile {path} has an invalid value for {name}: {value!r}"
    return ""


def _read(name: str, value: Any, parser: argparse.ArgumentParser) -> Any:
    """Return a value as the option `name` converts it; raise ValueError or TypeError for an invalid one."""
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
    """Return the path of the Saltfile in the environment, current or home directory, or '' if none."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    places = ("Saltfile", os.path.join(os.path.expanduser("~"), ".salt", "Saltfile"))
    return next(filter(_is_ours, places), "")


def _is_ours(path: str) -> bool:
    """Return whether a file belongs to this user or root; other users must not be able to set options."""
    try:
        owner = os.stat(path).st_uid
    except OSError:
        return False
    if owner not in (0, os.geteuid()):
        print(f"{os.path.abspath(path)} is ignored: it belongs to another user", file=sys.stderr)
        return False
    return os.path.isfile(path)
