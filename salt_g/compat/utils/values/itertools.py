"""Stock's `salt.utils.itertools`."""

from collections.abc import Iterator


def split(orig: str, sep: str | None = None) -> Iterator[str]:
    """Yield the parts of a text."""
    yield from orig.split(sep)


__all__ = ["split"]
