"""Address of a PostgreSQL server: the value of the setting `store`, shown without password.

Source: connection URIs of libpq, whose parameters all hold here (`host=a,b`, `target_session_attrs`).
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from salt_g.errors import ConfigError

_SCHEMES = ("postgresql", "postgres")
#: Parameters of a URI that may hold secrets.
_SECRET = re.compile(r"([?&](?:ssl)?password=)[^&]*")


def checked(url: str) -> str:
    """Return the value of the setting `store` if it is the URL of a server; raise ConfigError."""
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        scheme = ""
    if scheme not in _SCHEMES:
        raise ConfigError(
            [
                f"store: {without_password(url)} is not a URL of a PostgreSQL server; write"
                " postgresql://USER@HOST/DATABASE, or remove the setting to keep the data in cachedir"
            ]
        )
    return url


def without_password(url: str) -> str:
    """Return a URL as messages may show it."""
    front, mark, rest = url.partition("://")
    place, slash, name = rest.partition("/")
    user, at, host = place.rpartition("@")
    shown = f"{user.partition(':')[0]}{at}{host}"
    return front + mark + shown + slash + _SECRET.sub(r"\1...", name)
