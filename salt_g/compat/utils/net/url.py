"""Stock's `salt.utils.url`: `salt://` URLs, and passwords in others."""

import re
from collections.abc import Container
from urllib.parse import quote, urlsplit, urlunsplit

from salt_g.formats import salturl

_PASSWORD = re.compile(r"(https?://)[^\s/@]+@")


def parse(url: str) -> tuple[str, str | None]:
    """Return the path and the environment of a `salt://` URL; other texts are paths."""
    if not salturl.is_salt_url(url):
        return url, None
    found = salturl.parse(url)
    return found.path, found.saltenv or None


def create(path: str, saltenv: str | None = None) -> str:
    """Return the `salt://` URL of a path."""
    return salturl.create(path, saltenv or "")


def is_escaped(url: str) -> bool:
    """Return whether the path of a URL is taken literally: it begins with `|`."""
    return url.removeprefix(salturl.PREFIX).startswith("|")


def escape(url: str) -> str:
    """Return a path or a `salt://` URL whose path is taken literally; other URLs as they are."""
    if "://" in url and not salturl.is_salt_url(url):
        return url
    scheme, path = _split(url)
    return url if is_escaped(url) else f"{scheme}|{path}"


def unescape(url: str) -> str:
    """Return a URL without the mark of a literal path."""
    scheme, path = _split(url)
    return f"{scheme}{path.removeprefix('|')}"


def add_env(url: str, saltenv: str) -> str:
    """Return a `salt://` URL with an environment; others as they are."""
    return salturl.create(parse(url)[0], saltenv) if salturl.is_salt_url(url) else url


def split_env(url: str) -> tuple[str, str | None]:
    """Return a `salt://` URL without its environment, and the environment."""
    if not salturl.is_salt_url(url):
        return url, None
    path, saltenv = parse(url)
    return create(path), saltenv


def validate(url: str, protos: Container[str]) -> bool:
    """Return whether the scheme of a URL is one of these; '' is that of a path."""
    return urlsplit(url).scheme in protos


def strip_proto(url: str) -> str:
    """Return a URL without its scheme."""
    return url.partition("://")[2] if "://" in url else url


def add_http_basic_auth(
    url: str, user: str | None = None, password: str | None = None, https_only: bool = False
) -> str:
    """Return a URL with a user and a password; raise ValueError for http where only https is allowed."""
    if user is None and password is None:
        return url
    parts = urlsplit(url)
    if https_only and parts.scheme != "https":
        raise ValueError("Basic Auth only supported for HTTPS")
    login = ":".join(quote(str(word), safe="") for word in (user, password) if word is not None)
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc}"))


def redact_http_basic_auth(output: str) -> str:
    """Return a text without users and passwords in URLs."""
    return _PASSWORD.sub(r"\1<redacted>@", output)


def _split(url: str) -> tuple[str, str]:
    scheme = salturl.PREFIX if salturl.is_salt_url(url) else ""
    return scheme, url[len(scheme) :]


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
