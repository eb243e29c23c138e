"""Values for options out of a Saltfile: `salt: {timeout: 20}` stands for `--timeout=20`.

Why its own file: stock's programs look for it in the same places. Options that the words give count more.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

#: Section of the remote command line.
SECTION = "salt"
#: Environment variable that names the file.
VARIABLE = "SALT_SALTFILE"


def apply(options: argparse.Namespace, parser: argparse.ArgumentParser) -> str:
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
    section = values.get(SECTION) if isinstance(values, dict) else None
    for name, value in section.items() if isinstance(section, dict) else ():
        if (
            isinstance(name, str)
            and hasattr(options, name)
            and getattr(options, name) == parser.get_default(name)
        ):
            if isinstance(value, (dict, list)):
                return f"the Saltfile {path} gives {name} more than one value: {value!r}"
            setattr(options, name, value)
    return ""


def _found() -> str:
    """Return the Saltfile that nobody named: the environment's, this directory's, or the user's."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    places = ("Saltfile", os.path.join(os.path.expanduser("~"), ".salt", "Saltfile"))
    return next(filter(os.path.isfile, places), "")
