"""Stock's `salt.utils.url`: `salt://` URLs, and credentials in other URLs."""

import re
from collections.abc import Container
from urllib.parse import quote, urlsplit, urlunsplit

_SALT = "salt://"
#: URL with a login, up to the last `@` of the line, because passwords can contain any character.
_PASSWORD = re.compile(r"(https?)://.*@", re.IGNORECASE)
_SCHEME = re.compile(r"[^:/]+://")


def parse(url: str) -> tuple[str, str | None]:
    """Return (path, environment or None) of a `salt://` URL; any other text is returned as the path.

    The path keeps a leading `|`, which marks a literal path.
    """
    if not url.startswith(_SALT):
        return url, None
    path, found, saltenv = url.removeprefix(_SALT), "", ""
    if "?env=" in path:
        # An old syntax, whose environment is ignored.
        path = path.partition("?env=")[0]
    else:
        path, found, saltenv = path.partition("?saltenv=")
    return path.lstrip("/"), saltenv if found else None


def create(path: str, saltenv: str | None = None) -> str:
    """Return the `salt://` URL of a path."""
    query = f"saltenv={saltenv}" if saltenv else ""
    return _SALT + urlunsplit(("", "", path.replace("\\", "/"), query, ""))


def is_escaped(url: str) -> bool:
    """Return whether a path, or the path of a `salt://` URL, begins with `|`, the mark of a literal path."""
    return _is_path_or_salt(url) and parse(url)[0].startswith("|")


def escape(url: str) -> str:
    """Return a path or a `salt://` URL with the mark of a literal path; return other URLs unchanged."""
    if not _is_path_or_salt(url):
        return url
    path, saltenv = parse(url)
    literal = path if path.startswith("|") else f"|{path}"
    return create(literal, saltenv) if urlsplit(url).scheme else literal


def unescape(url: str) -> str:
    """Return a URL without the mark of a literal path."""
    if not _is_path_or_salt(url):
        return url
    path, saltenv = parse(url)
    return create(path.lstrip("|"), saltenv) if urlsplit(url).scheme else path.lstrip("|")


def add_env(url: str, saltenv: str | None) -> str:
    """Return a `salt://` URL with an environment; return other URLs unchanged."""
    return create(parse(url)[0], saltenv) if url.startswith(_SALT) else url


def split_env(url: str) -> tuple[str, str | None]:
    """Return a `salt://` URL without its environment, and the environment."""
    if not url.startswith(_SALT):
        return url, None
    path, saltenv = parse(url)
    return create(path), saltenv


def validate(url: str, protos: Container[str]) -> bool:
    """Return whether the scheme of a URL is one of `protos`; the scheme of a path is ''."""
    return urlsplit(url).scheme in protos


def strip_proto(url: str) -> str:
    """Return a URL without its scheme."""
    found = _SCHEME.match(url)
    return url[found.end() :] if found else url


def add_http_basic_auth(
    url: str, user: str | None = None, password: str | None = None, https_only: bool = False
) -> str:
    """Return a URL with a user and a password; with `https_only`, raise ValueError for other schemes."""
    if user is None and password is None:
        return url
    parts = urlsplit(url)
    if https_only and parts.scheme != "https":
        raise ValueError("Basic Auth only supported for HTTPS")
    login = ":".join(quote(str(word), safe="") for word in (user, password) if word is not None)
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc}"))


def redact_http_basic_auth(output: str) -> str:
    """Return text with user names and passwords in URLs redacted."""
    return _PASSWORD.sub(r"\1://<redacted>@", output)


def _is_path_or_salt(url: str) -> bool:
    return urlsplit(url).scheme in ("", "salt")


__all__ = [
    "add_env",
    "add_http_basic_auth",
    "create",
    "escape",
    "is_escaped",
    "parse",
    "redact_http_basic_auth",
    "split_env",
    "strip_proto",
    "unescape",
    "validate",
]
