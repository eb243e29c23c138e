"""Validation of a PostgreSQL URL in the setting `store`, and its display without password.

Source: connection URIs of libpq, all of whose parameters are accepted (`host=a,b`, `target_session_attrs`). A
URL that libpq may split differently from what its author meant is refused before the library sees it, because
the library's errors quote what it takes for a host, database or parameter, which could be part of a password.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from salt_g.errors import ConfigError

_SCHEMES = ("postgresql", "postgres")
#: Parameters of a URI whose values are not secret (some are paths); all other values are hidden.
_PUBLIC = frozenset(
    (
        *("application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname"),
        *("fallback_application_name", "gssencmode", "host", "hostaddr", "keepalives", "keepalives_count"),
        *("keepalives_idle", "keepalives_interval", "krbsrvname", "load_balance_hosts", "options"),
        *("passfile", "port", "require_auth", "requirepeer", "service", "ssl", "ssl_max_protocol_version"),
        *("ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir"),
        *("sslkey", "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs"),
        *("tcp_user_timeout", "user"),
    )
)
#: Parameters whose values are secret and whose names are shown. An unknown name is hidden, because it may be
#: part of a password.
_SECRET = ("password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key")
#: Values that are no URL and hold no secret: a word, such as a misspelled `embedded`.
_WORD = re.compile(r"[\w.-]{0,40}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}")
#: A host with its port. If the host is missing, the password in `USER:PASSWORD` would be taken for the port.
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:\[\]]*)(?::\d*)?")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})|%00")
#: An IPv6 address whose zone begins with a bare `%`.
_BARE_ZONE = re.compile(r"\[[0-9A-Fa-f:.]*%(?!25)")
#: Advice on the alternative to a URL in the setting `store`.
WITHOUT_URL = "remove the setting to keep the data in cachedir"
#: Advice about a URL that cannot be read.
_ENCODE = (
    "percent-encode % and @ in a password (as %25 and %40), likewise / ? & and : there; a port is a number"
)


def checked(url: str, name: str = "store", otherwise: str = WITHOUT_URL) -> str:
    """Return `url` if it is the URL of a PostgreSQL server; raise ConfigError otherwise.

    `name` is the setting or option that has the URL; `otherwise` is the advice for using no URL.
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


def malformed(url: str, name: str) -> ConfigError:
    """Return the error for a server URL that cannot be parsed."""
    # Text after an `&` in a password looks like parameters.
    shown = _scheme_of(url) if _hides_value(url) else without_password(url)
    return ConfigError([f"{name}: {shown} is not a URL of a PostgreSQL server; {_advice(url)}"])


def with_unknown_parameter(url: str, name: str, problem: str) -> ConfigError:
    """Return the error for a URL with an unknown parameter, which `problem` names.

    The value may be a password (`passwd=...`), and the name may be part of a password that contains `&`.
    """
    for _, parameter in _parameters(url):
        if f'"{parameter}"' in problem:
            break
        if parameter not in _PUBLIC:
            return malformed(url, name)
    else:
        return malformed(url, name)
    return ConfigError([f"{name}: {_scheme_of(url)} is not a URL of a PostgreSQL server: {problem}"])


def without_password(url: str) -> str:
    """Return a URL for messages, without password; only its scheme if the end of a password is ambiguous."""
    front, mark, rest = url.partition("://")
    if not mark:
        return url if _WORD.fullmatch(url) else "the value"
    if not _is_clear(url):
        return _scheme_of(url)
    login, at, place = _divided(rest)
    place, question, _ = place.partition("?")
    parameters = "&".join(_shown(*parameter) for parameter in _parameters(url))
    return front + mark + login.partition(":")[0] + at + place + question + parameters


def _scheme_of(url: str) -> str:
    """Return the scheme of a URL, which never contains a secret, for messages."""
    front = url.partition("://")[0]
    return f"{front}://..." if _SCHEME.fullmatch(front) else "the value"


def _shown(word: str, name: str) -> str:
    """Return a parameter for messages, without a value that may be secret."""
    if name in _PUBLIC:
        return word
    return f"{name}=..." if name in _SECRET else "..." if word else ""


def _hides_value(url: str) -> bool:
    """Return whether a parameter of the URL may hold a secret."""
    return any(word and name not in _PUBLIC for word, name in _parameters(url))


def _parameters(url: str) -> list[tuple[str, str]]:
    """Return the parameters of a URL as (`name=value`, name as libpq decodes it)."""
    _, _, place = _divided(url.partition("://")[2])
    return [(word, unquote(word.partition("=")[0])) for word in place.partition("?")[2].split("&")]


def _divided(rest: str) -> tuple[str, str, str]:
    """Split the part of a URL after `://` into (user and password, `@`, rest), as libpq does."""
    authority = rest.partition("/")[0]
    if "@" not in authority:
        return "", "", rest
    login, at, place = rest.partition("@")
    return login, at, place


def _hosts(place: str) -> str:
    """Return the hosts and ports in the part of a URL after the login."""
    return re.split("[/?]", place, maxsplit=1)[0]


def _advice(url: str) -> str:
    """Return advice on an unparsable URL, without quoting any part of it."""
    rest = url.partition("://")[2]
    if _BARE_ZONE.search(_hosts(_divided(rest)[2])):
        return "write the % before the zone of an IPv6 address as %25"
    return "write a space as %20" if " " in rest and _is_clear(url) else _ENCODE


def _is_clear(url: str) -> bool:
    """Return whether user, password and host of a URL are unambiguous."""
    rest = url.partition("://")[2]
    login, _, place = _divided(rest)
    hosts = _hosts(place)
    if _BAD_PERCENT.search(rest) or not all(map(_HOST.fullmatch, hosts.split(","))):
        return False
    if "?" in login.partition(":")[0]:
        # In `HOST?password=a@b`, without a slash, libpq takes all before `@` for the user.
        return False
    # In `?password=a&b` the rest of the password would be taken for a parameter.
    if not all("=" in word for word, _ in _parameters(url) if word):
        return False
    return "@" not in place or _is_at_clear(url)


def _is_at_clear(url: str) -> bool:
    """Return whether no `@` after the login can be the end of a password with an `@`, `/` or `?` in it."""
    login, at, place = _divided(url.partition("://")[2])
    if ":" in login or "@" in _hosts(place):
        return False
    is_in_path = "@" in place.partition("?")[0]
    if ":" not in place.rpartition("@")[0]:
        # There is no password without a `:`.
        return bool(at) or not is_in_path
    # `5432/salt?user=me` is hardly a password; `54/32` may be one.
    return not is_in_path and all(name in _PUBLIC for word, name in _parameters(url) if "@" in word)
