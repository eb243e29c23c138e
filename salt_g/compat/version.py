"""Stock's `salt.version`: the Salt release whose behaviour this follows, and releases in general."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import total_ordering
from typing import Any, NamedTuple

from salt_g import SALT_LEVEL
from salt_g.data.salt_releases import releases

_FORM = re.compile(
    r"v?(?P<major>\d+)(?:\.(?P<minor>\d+))?(?:\.(?P<bugfix>\d+))?(?:\.(?P<mbugfix>\d+))?"
    r"(?:(?P<pre_type>rc|a|b|alpha|beta)(?P<pre_num>\d+))?"
    r"(?:[-+.]?(?P<noc>\d+|n/a)[-.](?P<sha>g?[0-9a-f]{7,40}))?(?:dev\d*)?$",
    re.IGNORECASE,
)
#: First major number that is not a year; earlier releases are numbered by year and month.
_BY_NUMBER = 3000
#: First release that always has a second number.
_WITH_DOT_ZERO = 3006
#: {suffix of a version: rank}; the release itself, without a suffix, has the highest rank.
_BEFORE_RELEASE = {"alpha": 0, "a": 0, "beta": 1, "b": 1, "rc": 2, "": 3}


class SaltVersion(NamedTuple):
    """A release with its code name."""

    name: str
    info: tuple[int, ...]
    released: bool = False


@total_ordering
class SaltStackVersion:
    """A version of Salt, comparable with versions given as text or tuples."""

    #: {code name: numbers}
    NAMES = {name.capitalize(): info for name, info in releases().items()}
    LNAMES = dict(releases())
    VNAMES = {info: name for name, info in NAMES.items()}

    def __init__(
        self,
        major: Any,
        minor: Any = None,
        bugfix: Any = None,
        mbugfix: Any = 0,
        pre_type: str | None = None,
        pre_num: Any = None,
        noc: Any = 0,
        sha: str | None = None,
        *,
        patch: Any = None,
    ) -> None:
        self.major = int(major)
        default = 0 if self.major >= _WITH_DOT_ZERO else None
        self.minor: int | None = default if minor in (None, "") else int(minor)
        third = patch if bugfix in (None, "") else bugfix
        by_year = self.major < _BY_NUMBER and self.minor is not None
        self.bugfix: int | None = (0 if by_year else None) if third in (None, "") else int(third)
        self.mbugfix = int(mbugfix or 0)
        self.pre_type, self.pre_num = pre_type or "", int(pre_num or 0)
        self.noc = -1 if noc == "n/a" else int(noc or 0)
        self.sha = sha
        self.name = self.VNAMES.get(
            (self.major,) if self.major >= _BY_NUMBER else (self.major, self.minor or 0)
        )

    @classmethod
    def parse(cls, version_string: Any) -> SaltStackVersion:
        """Parse a version; raise ValueError if it is malformed."""
        found = _FORM.match(str(version_string))
        if found is None:
            raise ValueError(f"Unable to parse version string: {version_string!r}")
        return cls(**found.groupdict())

    @classmethod
    def from_name(cls, name: str) -> SaltStackVersion:
        """Return the release with a code name; raise ValueError if it is unknown."""
        if name.lower() not in cls.LNAMES:
            raise ValueError(f"Named version {name!r} is not known")
        info: tuple[Any, ...] = cls.LNAMES[name.lower()]
        return cls(*info)

    @classmethod
    def current_release(cls) -> SaltStackVersion:
        """Return the release whose behaviour salt-g follows."""
        return cls(__version_info__[0])

    from_last_named_version = current_release

    @classmethod
    def next_release(cls) -> SaltStackVersion:
        """Return the release after the current one."""
        return cls(__version_info__[0] + 1)

    @property
    def info(self) -> tuple[int, ...]:
        """Numbers of the version."""
        numbers = [each for each in (self.major, self.minor, self.bugfix) if each is not None]
        return (*numbers, self.mbugfix) if self.bugfix is not None else tuple(numbers)

    @property
    def pre_info(self) -> tuple[Any, ...]:
        """`info` with the type and number of a pre-release."""
        return (*self.info, self.pre_type, self.pre_num)

    @property
    def noc_info(self) -> tuple[Any, ...]:
        """`pre_info` with the number of commits since the release."""
        return (*self.pre_info, self.noc)

    @property
    def full_info(self) -> tuple[Any, ...]:
        """`noc_info` with the commit."""
        return (*self.noc_info, self.sha)

    @property
    def string(self) -> str:
        """The version as text."""
        numbers = self.info[:-1] if self.bugfix is not None and not self.mbugfix else self.info
        text = ".".join(map(str, numbers)) + (f"{self.pre_type}{self.pre_num}" if self.pre_type else "")
        if not self.noc or not self.sha:
            return text
        return f"{text}+{'n/a' if self.noc < 0 else self.noc}.{self.sha}"

    @property
    def formatted_version(self) -> str:
        """The version with its code name."""
        return f"{self.string} ({self.name})" if self.name else self.string

    @property
    def sse(self) -> bool:
        """Whether this is an enterprise release, numbered 3.x."""
        return 0 < self.major < 4

    def _order(self) -> tuple[Any, ...]:
        numbers = (self.major, self.minor or 0, self.bugfix or 0, self.mbugfix)
        return (*numbers, _BEFORE_RELEASE[self.pre_type.lower()], self.pre_num, self.noc)

    def __eq__(self, other: object) -> bool:
        return self._order() == _version(other)._order()

    def __lt__(self, other: object) -> bool:
        return self._order() < _version(other)._order()

    def __hash__(self) -> int:
        return hash(self._order())

    def __str__(self) -> str:
        return self.string

    def __repr__(self) -> str:
        parts = [f"name={self.name!r}"] if self.name else []
        parts += [
            f"{name}={value}"
            for name, value in (("major", self.major), ("minor", self.minor), ("bugfix", self.bugfix))
            if value is not None
        ]
        parts += [f"{self.pre_type}={self.pre_num}"] if self.pre_type else []
        parts += [f"noc={self.noc}", f"sha={self.sha}"] if self.noc and self.sha else []
        return f"<SaltStackVersion {' '.join(parts)}>"


class _Releases(type):
    """Releases as attributes, `SaltVersionsInfo.ARGON`."""

    def __getattr__(cls, name: str) -> SaltVersion:
        info = releases().get(name.lower())
        if info is None:
            raise AttributeError(f"there is no release {name!r}")
        return SaltVersion(name.capitalize(), info, info <= __version_info__[:1])


class SaltVersionsInfo(metaclass=_Releases):
    """Releases of Salt by their code names in capitals."""

    @staticmethod
    def versions() -> list[SaltVersion]:
        """Return all releases, the oldest first."""
        return [getattr(SaltVersionsInfo, name) for name in releases()]

    @staticmethod
    def released_versions() -> list[SaltVersion]:
        """Return the releases up to the one whose behaviour salt-g follows."""
        return [each for each in SaltVersionsInfo.versions() if each.released]

    @staticmethod
    def current_release() -> SaltVersion:
        """Return the release whose behaviour salt-g follows."""
        return SaltVersionsInfo.released_versions()[-1]

    @staticmethod
    def previous_release() -> SaltVersion:
        """Return the release before the current one."""
        return SaltVersionsInfo.released_versions()[-2]

    @staticmethod
    def next_release() -> SaltVersion:
        """Return the release after the current one."""
        return SaltVersionsInfo.versions()[len(SaltVersionsInfo.released_versions())]


def _version(other: object) -> SaltStackVersion:
    if isinstance(other, SaltStackVersion):
        return other
    if isinstance(other, str):
        return SaltStackVersion.parse(other)
    if isinstance(other, (list, tuple)):
        return SaltStackVersion(*other)
    raise ValueError(f"Cannot instantiate Version from type {type(other)!r}")


def salt_information() -> Iterator[tuple[str, str]]:
    """Yield the version of Salt whose behaviour salt-g follows."""
    yield "Salt", SALT_LEVEL


def dependency_information(include_salt_cloud: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield (library, version)."""
    yield from _section("Dependency Versions").items()


def system_information() -> Iterator[tuple[str, Any]]:
    """Yield facts about this system."""
    yield from _section("System Versions").items()


def versions_information(include_salt_cloud: bool = False, include_extensions: bool = True) -> dict[str, Any]:
    """Return versions by section, {section: {name: version}}."""
    # Imported lazily: two slow imports, rarely needed.
    from salt_g.report.versions_report import information

    return information()


def versions_report(include_salt_cloud: bool = False, include_extensions: bool = True) -> Iterator[str]:
    """Yield the lines of a report of all versions."""
    from salt_g.report.versions_report import report

    yield from report().splitlines()


def _section(name: str) -> dict[str, Any]:
    return dict(versions_information().get(name, {}))


def package_information() -> Iterator[tuple[str, Any]]:
    """Yield the kind of package that salt-g was installed from, always None: it is unknown."""
    yield "Package Type", None


def extensions_information() -> dict[str, Any]:
    """Return {extension: version}."""
    return _section("Salt Extensions")


__version_info__ = tuple(int(part) for part in SALT_LEVEL.split("."))
__version__ = SALT_LEVEL
__saltstack_version__ = SaltStackVersion.parse(SALT_LEVEL)
