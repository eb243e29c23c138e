"""Stock's `salt.utils.http`: HTTP requests through the execution function `http.query`."""

import http.cookies
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from salt_g import api

#: Arguments of stock's callers that are ignored, mostly for the choice of an HTTP library.
_OF_STOCK = ("opts", "backend", "node", "port", "requests_lib", "hide_fields", "formdata", "persist_session")


def query(url: str, method: str = "GET", **options: Any) -> dict[str, Any]:
    """Send a request; return its parts as `http.query` does (`status`, `body`, `dict`, `error`, ...)."""
    wanted = {name: value for name, value in options.items() if name not in _OF_STOCK}
    answer: dict[str, Any] = api.call("http.query", url, method=method, **wanted)
    return answer


def get_ca_bundle(opts: Any = None) -> str | None:
    """Return the file of trusted certificates: the setting `ca_bundle`, else Python's own."""
    import ssl  # Imported lazily: costs 10 ms.

    return (opts or {}).get("ca_bundle") or ssl.get_default_verify_paths().cafile


def parse_cookie_header(header: str) -> list[dict[str, str]]:
    """Return the cookies of a `Set-Cookie` header, each with name, value and attributes."""
    found = http.cookies.SimpleCookie(header)
    return [
        {"name": name, "value": cookie.value, **{key: text for key, text in cookie.items() if text}}
        for name, cookie in found.items()
    ]


def sanitize_url(url: str, hide_fields: Sequence[str] | None = None) -> str:
    """Return a URL with the values of these query fields masked."""
    parts, hidden = urlsplit(url), set(hide_fields or ()) - {""}
    fields = [
        f"{field.split('=')[0]}=XXXXXXXXXX" if field.split("=")[0] in hidden else field
        for field in parts.query.split("&")
    ]
    return urlunsplit(parts._replace(query="&".join(fields)))


def session(
    user: str | None = None,
    password: str | None = None,
    verify_ssl: bool = True,
    ca_bundle: str | None = None,
    headers: dict[str, str] | None = None,
) -> Any:
    """Return a session of the library `requests`, which must be installed by the calling extension."""
    import requests  # Imported lazily: salt-g itself does not require it.

    made = requests.Session()
    made.auth = (user, password) if user and password else None
    made.verify = (ca_bundle or get_ca_bundle() or True) if verify_ssl else False
    made.headers.update(headers or {})
    return made


__all__ = ["get_ca_bundle", "parse_cookie_header", "query", "sanitize_url", "session"]
