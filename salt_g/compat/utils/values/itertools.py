"""Stock's `salt.utils.itertools`: iterators over text, files and names."""

import fnmatch
from collections.abc import Iterable, Iterator
from typing import Any


def split(orig: str, sep: str | None = None) -> Iterator[str]:
    """Yield the parts of a text, omitting an empty part at the end."""
    parts = orig.split(sep)
    yield from parts if parts[-1:] != [""] else parts[:-1]


def read_file(fh_: Any, chunk_size: int = 1048576) -> Iterator[Any]:
    """Yield the content of a file, given by path or open, in chunks of `chunk_size`."""
    if hasattr(fh_, "read"):
        yield from iter(lambda: fh_.read(chunk_size) or None, None)
        return
    with open(fh_, "rb") as file:
        yield from read_file(file, chunk_size)


def fnmatch_multiple(candidates: Iterable[Any] | None, pattern: str) -> str | None:
    """Return the first name that matches a glob, or None if there is none."""
    names = (name for name in candidates or () if isinstance(name, str))
    return next((name for name in names if fnmatch.fnmatch(name, pattern)), None)


__all__ = ["split"]
__all__ += ["fnmatch_multiple", "read_file"]
