"""Stock's `salt.utils.path`."""

import os
import shutil
from collections.abc import Iterator
from typing import Any


def which(exe: str | None = None) -> str | None:
    """Return the path of a program, or None if not found."""
    return shutil.which(exe) if exe else None


def which_bin(exes: list[str]) -> str | None:
    """Return the path of the first of these programs that is found."""
    return next((path for exe in exes if (path := shutil.which(exe))), None)


def join(*parts: str) -> str:
    """Join the parts of a path; a leading slash in a later part does not reset it."""
    first, *rest = parts
    return os.path.normpath(os.path.join(first, *(part.lstrip("/") for part in rest)))


def os_walk(top: str, *args: Any, **kwargs: Any) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return the directories below a directory as `os.walk` does."""
    yield from os.walk(os.fsdecode(top), *args, **kwargs)
