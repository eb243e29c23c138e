"""Minimum version of glibc that a frozen program needs."""

from __future__ import annotations

import pathlib
import re
import subprocess
from collections.abc import Iterable, Iterator

#: Version of a glibc symbol, as readelf prints it. Only glibc defines such symbols, and glibc is not part of
#: the program, so each version found is a requirement.
_VERSION = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
_MAGIC = b"\x7fELF"
#: Maximum number of files per call of readelf.
_AT_ONCE = 100


def needed(directory: pathlib.Path) -> str:
    """Return the latest version of glibc symbols that files below `directory` use, such as `2.28`.

    Returns "" if none of them uses glibc. Raises FileNotFoundError if readelf is missing (Debian: binutils)
    and subprocess.CalledProcessError if it fails.
    """
    files = sorted(str(path) for path in _elf_files(directory))
    texts = (_versions(files[start : start + _AT_ONCE]) for start in range(0, len(files), _AT_ONCE))
    return latest(texts)


def latest(texts: Iterable[str]) -> str:
    """Return the latest version of glibc in the output of `readelf --version-info`, "" if there is none."""
    found = {(int(major), int(minor)) for text in texts for major, minor in _VERSION.findall(text)}
    return ".".join(map(str, max(found))) if found else ""


def _elf_files(directory: pathlib.Path) -> Iterator[pathlib.Path]:
    for path in directory.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC:
                    yield path


def _versions(files: list[str]) -> str:
    words = ["readelf", "--wide", "--version-info", *files]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
