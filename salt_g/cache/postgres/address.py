"""Address of a PostgreSQL server: the value of the setting `store`, shown without password.

Source: connection URIs of libpq, whose parameters all hold here (`host=a,b`, `target_session_attrs`).
A URL that libpq and its author may divide differently is refused before the library sees it, because the
library's errors quote what it takes for a host, a database or a parameter: it may be a part of a password.
"""

from __future__ import annotations

import re

from salt_g.errors import ConfigError

_SCHEMES = ("postgresql", "postgres")
#: Parameters of a URI that may hold secrets.
_SECRET = re.compile(r"([?&](?:ssl)?password=)[^&]*")
_HAS_SECRET = re.compile(r"[?&](?:ssl)?password=")
#: Values that are no URL and hold no secret: a word, such as a misspelled `embedded`.
_WORD = re.compile(r"[\w.-]{0,40}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}")
#: A host with its port. In `USER:PASSWORD`, without a host, the password would be the port.
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:\[\]]*)(?::\d*)?")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})|%00")
#: What else the setting `store` may be.
WITHOUT_URL = "remove the setting to keep the data in cachedir"
#: Advice about a URL that cannot be read.
_ENCODE = (
    "percent-encode % and @ in a password (as %25 and %40), likewise / ? & and : there; a port is a number"
)


def checked(url: str, name: str = "store", otherwise: str = WITHOUT_URL) -> str:
    """Return the value of the setting `store` if it is the URL of a server; raise ConfigError.

    `name` is that of another setting or option with such a value, `otherwise` what else it may be.
    """
    if url.partition("://")[0] not in _SCHEMES or "://" not in url:
        raise ConfigError(
            [
                f"{name}: {without_password(url)} is not a URL of a PostgreSQL server; write"
                f" postgresql://USER@HOST/DATABASE, or {otherwise}"
            ]
        )
    if not _is_clear(url):
        raise malformed(url, name)
    return url


def malformed(url: str, name: str, problem: str = "") -> ConfigError:
    """Return the error of a URL of a server that cannot be read; `problem` has no part of a secret."""
    why = f": {problem}" if problem else f"; {_ENCODE}"
    # What is behind a password with `&` looks like parameters.
    shown = f"{url.partition('://')[0]}://..." if has_secret_parameter(url) else without_password(url)
    return ConfigError([f"{name}: {shown} is not a URL of a PostgreSQL server{why}"])


def has_secret_parameter(url: str) -> bool:
    """Return whether a parameter of the URL is a password."""
    return _HAS_SECRET.search(url) is not None


def without_password(url: str) -> str:
    """Return a URL as messages may show it: only its scheme if it is not clear where a password ends."""
    front, mark, rest = url.partition("://")
    if not mark:
        return url if _WORD.fullmatch(url) else "the value"
    if not _is_clear(url):
        return f"{front}://..." if _SCHEME.fullmatch(front) else "the value"
    login, at, place = _divided(rest)
    return front + mark + login.partition(":")[0] + at + _SECRET.sub(r"\1...", place)


def _divided(rest: str) -> tuple[str, str, str]:
    """Return user with password, `@`, and the rest, as libpq divides what is behind `://`."""
    authority = rest.partition("/")[0]
    if "@" not in authority:
        return "", "", rest
    login, at, place = rest.partition("@")
    return login, at, place


def _is_clear(url: str) -> bool:
    """Return whether there is one way only to read user, password and host from a URL."""
    rest = url.partition("://")[2]
    _, at, place = _divided(rest)
    hosts = re.split("[/?]", place, maxsplit=1)[0].split(",")
    if _BAD_PERCENT.search(rest) or not all(map(_HOST.fullmatch, hosts)):
        return False
    if "@" not in place:
        # In `?password=a&b` the rest of the password would be taken for a parameter.
        return all("=" in word for word in place.partition("?")[2].split("&") if word)
    # Behind the host, `@` may be the end of a password that has `@`, `/` or `?`.
    before, _, parameters = place.partition("?")
    return not at and ":" not in before and "@" not in before and "=" in parameters
