"""`rest`: ask a web service whether a user's password is right, and what the user may do.

Shapes: `^url` in `external_auth: rest:` gets a POST of `username` and `password`; status 200 means yes,
and a JSON list in the answer adds permissions to those of the settings.
Errors: AuthModuleError for settings or an answer that cannot be used.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from salt_g.errors import AuthModuleError
from salt_g.net import tls

#: How long the service may take (s), and the longest answer that is read (bytes).
_TIMEOUT = 20.0
_MAX_ANSWER = 1024 * 1024


class Checker:
    """Asks one service, once for a login."""

    def __init__(self, opts: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self._options = options
        self._url = str(options.get("^url") or "")
        if not self._url.startswith(("http://", "https://")):
            raise AuthModuleError("rest", "external_auth:rest:^url must be the address of the service")
        self._given: list[Any] = []

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the service answers with status 200."""
        answer = _ask(self._url, username, password)
        if answer is None:
            return False
        self._given = answer if isinstance(answer, list) else []
        return True

    def groups(self, username: str) -> list[str]:
        """Return no groups."""
        return []

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return what the settings and the service give the user together, None when that is nothing."""
        configured = self._options.get(username) or []
        return [*configured, *self._given] or None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A page that one is sent to has not checked the password."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Take the redirect for the refusal that it is."""
        return None


def _ask(url: str, username: str, password: str) -> Any:
    """Return the parsed answer, [] for an empty one, None for a refusal."""
    body = urllib.parse.urlencode({"username": username, "password": password}).encode()
    try:
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=tls.client_context()), _NoRedirects()
        )
        with opener.open(url, body, timeout=_TIMEOUT) as response:
            text = response.read(_MAX_ANSWER)
            return json.loads(text) if response.status == 200 and text else []
    except urllib.error.HTTPError as exc:
        exc.close()  # it holds the connection
        return None
    except ValueError as exc:
        raise AuthModuleError("rest", f"{url} does not answer in JSON: {exc}") from exc
