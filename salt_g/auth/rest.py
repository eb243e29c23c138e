"""Authentication `rest`, by a web service that checks passwords and grants permissions.

Shapes: `^url` in `external_auth: rest:` receives a POST of `username` and `password`; status 200 accepts the
login, and a JSON list in the response adds permissions to the user's in the settings.
Errors: AuthModuleError for unusable settings or responses.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from salt_g.errors import AuthModuleError
from salt_g.formats.urls import without_password
from salt_g.net import tls
from salt_g.shapes import Opts

#: Time limit for the service (s), and the longest accepted answer (bytes).
_TIMEOUT = 20.0
_MAX_ANSWER = 1024 * 1024


class Checker:
    """Checker of one login, which calls the web service."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
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
        """Return the permissions from the settings and the service together, or None if there are none."""
        configured = self._options.get(username) or []
        return [*configured, *self._given] or None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirect handler that follows no redirect, because its target has not checked the password."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Return None, so that a redirect counts as a refusal."""
        return


def _ask(url: str, username: str, password: str) -> Any:
    """Send the login to the service; return the parsed answer; [] if it is empty, None for a refusal."""
    body = urllib.parse.urlencode({"username": username, "password": password}).encode()
    try:
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=tls.client_context()), _NoRedirects()
        )
        with opener.open(url, body, timeout=_TIMEOUT) as response:
            if response.status != 200:
                return None
            text = response.read(_MAX_ANSWER)
            return json.loads(text) if text else []
    except urllib.error.HTTPError as exc:
        exc.close()  # it holds the connection
        return None
    except ValueError as exc:
        raise AuthModuleError("rest", f"{without_password(url)} returned invalid JSON: {exc}") from exc
