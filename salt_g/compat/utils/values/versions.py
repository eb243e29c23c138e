"""Stock's `salt.utils.versions`: comparison of versions, and deprecation warnings."""

import re
import warnings
from collections.abc import Callable
from functools import total_ordering
from importlib import metadata
from typing import Any

from salt_g.data.version_conditions import satisfies

_PART = re.compile(r"\d+|[a-z]+|[^\da-z.]+")
#: Number of digits to which a number is padded for the comparison with a word.
_DIGITS = 8
#: {word in a version before its release: rank}
_BEFORE_RELEASE = {"dev": 0, "a": 1, "alpha": 1, "b": 2, "beta": 2, "c": 3, "rc": 3}


@total_ordering
class LooseVersion:
    """Version in any format, compared by its numbers and words; comparable with versions as text."""

    def __init__(self, vstring: str | None = None) -> None:
        self.vstring = str(vstring or "")
        self.version = [int(part) if part.isdigit() else part for part in _PART.findall(self.vstring.lower())]

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"{type(self).__name__} ('{self.vstring}')"

    def __hash__(self) -> int:
        return hash(str(self._key()))

    def __eq__(self, other: object) -> bool:
        one, two = self._keys(other)
        return bool(one == two)

    def __lt__(self, other: object) -> bool:
        one, two = self._keys(other)
        return bool(one < two)

    def _keys(self, other: object) -> tuple[Any, Any]:
        """Return both versions' keys for a comparison; if either contains words, numbers become words."""
        theirs = other if isinstance(other, LooseVersion) else type(self)(str(other))
        one, two = self._key(), theirs._key()
        if isinstance(one, list) and any(isinstance(part, str) for part in [*one, *two]):
            return [_word(part) for part in one], [_word(part) for part in two]
        return one, two

    def _key(self) -> Any:
        return self.version


def _word(part: Any) -> str:
    return str(part).zfill(_DIGITS) if isinstance(part, int) else str(part)


class Version(LooseVersion):
    """Version of a Python distribution: `1.0rc1` is before `1.0`, which equals `1.0.0`."""

    def _key(self) -> Any:
        numbers: list[int] = []
        rest = [part for part in self.version if isinstance(part, int) or part.isalnum()]
        while rest and isinstance(rest[0], int):
            numbers.append(rest.pop(0))
        while numbers and numbers[-1] == 0:
            numbers.pop()
        word = str(rest[0]) if rest else ""
        # A release ranks between the words before it (`rc`) and those after it (`post`).
        rank = _BEFORE_RELEASE.get(word, 4 if not word else 5)
        return numbers, rank, [part for part in rest[1:] if isinstance(part, int)]


StrictVersion = Version


def parse(version: str) -> Version:
    """Parse a version."""
    return Version(version)


def version_cmp(pkg1: Any, pkg2: Any, ignore_epoch: bool = False) -> int | None:
    """Return -1, 0 or 1 if the first version is older, the same or newer; None if one is empty.

    A prefix such as `2:` is an epoch.
    """
    one, other = (_without_epoch(str(version)) if ignore_epoch else str(version) for version in (pkg1, pkg2))
    if not one or not other:
        return None
    first, second = LooseVersion(one), LooseVersion(other)
    return (first > second) - (first < second)


def compare(
    ver1: str = "",
    oper: str = "==",
    ver2: str = "",
    cmp_func: Callable[..., Any] | None = None,
    ignore_epoch: bool = False,
) -> bool:
    """Return whether `ver1 oper ver2` is true; `cmp_func` compares the versions of a package format."""

    def order(one: str, other: str) -> Any:
        return (cmp_func or version_cmp)(one, other, ignore_epoch=ignore_epoch)

    return satisfies(ver1, oper, ver2, order)


def warn_until(
    version: Any, message: str, category: type[Warning] = DeprecationWarning, **stock: Any
) -> None:
    """Issue a deprecation warning."""
    warnings.warn(message.replace("{version}", str(version)), category, stacklevel=3)


def warn_until_date(
    date: Any, message: str, category: type[Warning] = DeprecationWarning, **stock: Any
) -> None:
    """Issue a deprecation warning with a date."""
    warnings.warn(message.replace("{date}", str(date)), category, stacklevel=3)


def kwargs_warn_until(kwargs: Any, version: Any, **stock: Any) -> None:
    """Issue a deprecation warning about unsupported keyword arguments."""
    if kwargs:
        warn_until(version, f"these keyword arguments have no effect: {', '.join(sorted(kwargs))}")


def _without_epoch(version: str) -> str:
    return version.partition(":")[2] if ":" in version else version


def check_boto_reqs(
    boto_ver: str | None = None,
    boto3_ver: str | None = None,
    botocore_ver: str | None = None,
    check_boto: bool = True,
    check_boto3: bool = True,
) -> Any:
    """Return True if the AWS libraries are installed in these versions, else (False, reason)."""
    wanted = [("boto", boto_ver or "2.0.0")] if check_boto else []
    if check_boto3:
        wanted += [("boto3", boto3_ver or "1.2.6"), ("botocore", botocore_ver or "1.3.23")]
    for library, version in wanted:
        try:
            found = metadata.version(library)
        except metadata.PackageNotFoundError:
            found = ""
        if not found or (version_cmp(found, version) or 0) < 0:
            return False, f"A minimum version of {library} {version} is required."
    return True


__all__ = [
    "LooseVersion",
    "StrictVersion",
    "Version",
    "compare",
    "kwargs_warn_until",
    "parse",
    "version_cmp",
    "warn_until",
    "warn_until_date",
]
__all__ += ["check_boto_reqs"]
