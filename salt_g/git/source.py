"""Source of a repository: URL, credentials, and their settings.

The file server and pillar have the same settings for repositories (`gitfs_*` and `git_pillar_*`, each as a
default and as an option of one repository); only the meaning of a branch differs.
Errors: ConfigError.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.formats import salturl
from salt_g.formats.urls import without_password
from salt_g.git.verify_rules import VerifyRules

#: References fetched by default: all branches and tags.
ALL_REFS = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")


class Access(NamedTuple):
    """Credentials for a server."""

    user: str = ""
    password: str = ""
    privkey: str = ""
    passphrase: str = ""
    insecure_auth: bool = False
    ssl_verify: bool = True
    proxy: str = ""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Access:
        """Return the credentials in the options."""
        return cls(
            user=str(options.get("user") or ""),
            password=str(options.get("password") or ""),
            privkey=str(options.get("privkey") or ""),
            passphrase=str(options.get("passphrase") or ""),
            insecure_auth=bool(options.get("insecure_auth")),
            ssl_verify=bool(options.get("ssl_verify", True)),
            proxy=str(options.get("proxy") or ""),
        )


class RemoteSource(NamedTuple):
    """Repository to fetch from; `depth` is the number of commits of each branch, 0 for all.

    With `verify`, only what its signers have signed is served.
    """

    url: str
    name: str = ""
    refspecs: tuple[str, ...] = ALL_REFS
    depth: int = 0
    access: Access = Access()
    verify: VerifyRules | None = None

    def __str__(self) -> str:
        return self.name or without_password(self.url)


def checked_url(url: str, setting: str) -> str:
    """Return the URL of a repository; raise ConfigError if it is empty or git would parse it as an option."""
    if not url or url.startswith("-"):
        raise ConfigError([f"{setting}, {without_password(url)}: not a valid repository URL"])
    return url


def read_options(options: Any, known: Collection[str], where: str) -> dict[str, Any]:
    """Return the options of one repository as one mapping; raise ConfigError for unknown options."""
    joined = join_options(options, where)
    unknown = sorted(set(joined) - set(known))
    if unknown:
        raise ConfigError([f"{where}: unknown options {', '.join(unknown)}"])
    return joined


def join_options(options: Any, where: str) -> dict[str, Any]:
    """Merge a list of mappings into one."""
    joined: dict[str, Any] = {}
    for option in options if isinstance(options, list) else [options or {}]:
        if not isinstance(option, Mapping):
            raise ConfigError([f"{where}: options must be written as 'name: value', not {option!r}"])
        joined.update(option)
    return joined


def number(options: Mapping[str, Any], name: str, default: float, where: str) -> float:
    """Return a numeric option, or `default` if it is missing or 0."""
    value = options.get(name) or default
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise ConfigError([f"{where}: {name} must be a number, not {value!r}"]) from None
    if found < 0:
        raise ConfigError([f"{where}: {name} must not be negative; {value!r} is invalid"])
    return found


def folder(value: Any, where: str) -> str:
    """Return a folder of a repository without leading and trailing slashes."""
    path = str(value or "").removeprefix(salturl.PREFIX).strip("/")
    if os.pardir in path.split("/"):
        raise ConfigError([f"{where}: folder {path!r} leaves the repository"])
    return path


def texts(value: Any) -> tuple[str, ...]:
    """Return the items of a list, or of a comma-separated text."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    items: Iterable[Any] = value or ()
    return tuple(str(item) for item in items)
