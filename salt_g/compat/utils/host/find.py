"""Stock's `salt.utils.find`: search for files, through the execution function `file.find`."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g import api


class Finder:
    """Search with criteria and actions of `file.find`; raises ValueError if they are invalid."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = dict(options)
        self._found(os.devnull)

    def find(self, path: str) -> Iterator[Any]:
        """Yield the results for the files at and below a path."""
        yield from self._found(path)

    def _found(self, path: str) -> list[Any]:
        test = {"test": True} if path == os.devnull else {}
        # Do not run actions when only the options are checked.
        wanted = {name: value for name, value in self._options.items() if not test or name != "exec"}
        found = api.call("file.find", path, **{**wanted, **test})
        if isinstance(found, str):
            raise ValueError(found.removeprefix("error: "))
        return list(found)


def find(path: str, options: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the results for the files at and below a path."""
    return Finder(options).find(path)


def path_depth(path: str) -> int:
    """Return the number of names in a path."""
    return sum(name not in ("", ".", "..") for name in path.split(os.sep))


__all__ = ["Finder", "find", "path_depth"]
