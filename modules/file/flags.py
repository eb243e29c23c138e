"""Regular expression flags as SLS authors write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from salt_g.errors import CommandExecutionError

#: A name, a number, or several names.
Flags = int | str | Iterable[str]


def regex_flags(flags: Flags) -> int:
    """Combine `re` flags into an int; raise CommandExecutionError for unknown names or wrong types."""
    if isinstance(flags, int):
        return int(flags)
    names = [flags] if isinstance(flags, str) else flags
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        raise CommandExecutionError(
            f'Invalid re flags: "{flags}", must be given either as a single flag string, a list of strings, '
            "as an integer, or as an re flag"
        )
    number = 0
    for name in names:
        flag = getattr(re.RegexFlag, str(name).upper(), None)
        if not flag:
            raise CommandExecutionError(f"Invalid re flag given: {name}")
        number |= int(flag)
    return number
