"""Logins at one provider: the URL for redirecting a browser, and the exchange of the code for a user.

Errors: Refusal with 400 for a request that belongs to no login, 401 for a login that the provider refuses or
whose token is invalid, 502 for a provider that is unavailable.
Source: OpenID Connect Core 1.0, section 3.1; RFC 6749, section 2.3.1; OpenID Connect RP-Initiated Logout 1.0.
"""

from __future__ import annotations

import base64
import contextlib
import re
import urllib.parse
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.auth.oidc import OidcSettings, checked_claims, user_of
from salt_g.auth.oidc_provider import ProviderError
from salt_g.errors import AuthModuleError
from salt_g.http_api.messages import Refusal
from salt_g.http_api.oidc.browser_ticket import Ticket, Tickets

#: Maximum length of the code and the state in the provider's answer (characters).
_MAX_TEXT = 4096
_ERROR = re.compile(r"[a-z_]{1,50}", re.A)


class ProviderLogin:
    """Service for logins at the provider of `external_auth: oidc`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Initialize; raise AuthModuleError for invalid settings."""
        self.settings = OidcSettings.of(options)
        if not self.settings.redirect_uri:
            raise AuthModuleError(
                "oidc", "^redirect_uri is missing: the address of /oidc/callback as browsers see it"
            )
        self._tickets = Tickets()

    def begin(self) -> tuple[str, Ticket]:
        """Return (URL of the provider for a redirect, ticket of the new login)."""
        ticket = self._tickets.make()
        fields = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": self.settings.redirect_uri,
            "scope": self.settings.scopes,
            "state": ticket.state,
            "nonce": ticket.nonce,
            "code_challenge": ticket.challenge,
            "code_challenge_method": "S256",
        }
        with self._refusing():
            return _with_query(str(self._document()["authorization_endpoint"]), fields), ticket

    def finish(self, cookie: str, query: Mapping[str, str]) -> tuple[str, str]:
        """Return (user, ID token) for a browser that returns from the provider."""
        state, code = query.get("state", ""), query.get("code", "")
        ticket = self._tickets.take(cookie[:_MAX_TEXT], state[:_MAX_TEXT])
        if ticket is None:
            raise Refusal(
                400,
                "this login was not started here, expired or was already used; log in again at /oidc/login",
            )
        if "error" in query:
            raise Refusal(401, f"the provider has refused the login: {_shown(query['error'])}")
        if not 0 < len(code) <= _MAX_TEXT:
            raise Refusal(400, "the provider sent no code")
        with self._refusing():
            token = self._exchanged(code, ticket)
            claims = checked_claims(self.settings, token)
            if claims.get("nonce") != ticket.nonce:
                raise Refusal(401, "the ID token belongs to another login")
            return user_of(self.settings, claims), token

    def end_url(self) -> str:
        """Return the URL that ends the session at the provider, '' if it has none or cannot be reached."""
        try:
            url = str(self._document().get("end_session_endpoint") or "")
        except AuthModuleError:
            # The session at this API has ended anyway.
            return ""
        return _with_query(url, {"client_id": self.settings.client_id}) if url.startswith("http") else ""

    def _document(self) -> Mapping[str, Any]:
        return self.settings.provider.document()

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except ProviderError as exc:
            raise Refusal(502, str(exc)) from None
        except AuthModuleError as exc:
            raise Refusal(401, str(exc)) from None

    def _exchanged(self, code: str, ticket: Ticket) -> str:
        """Exchange a code for an ID token at the provider."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.redirect_uri,
            "client_id": self.settings.client_id,
            "code_verifier": ticket.verifier,
        }
        document = self._document()
        headers: dict[str, str] = {}
        if self.settings.client_secret:
            methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
            if "client_secret_basic" in methods:
                headers["Authorization"] = _basic(self.settings)
            else:
                fields["client_secret"] = self.settings.client_secret
        status, answer = self.settings.provider.post(str(document["token_endpoint"]), fields, headers)
        if status >= 500:
            raise ProviderError(f"{self.settings.issuer} answers with status {status}")
        token = answer.get("id_token")
        if status != 200 or not isinstance(token, str):
            raise Refusal(401, f"the provider issued no ID token: {_shown(answer.get('error', status))}")
        return token


def _basic(settings: OidcSettings) -> str:
    pair = ":".join(urllib.parse.quote_plus(one) for one in (settings.client_id, settings.client_secret))
    return "Basic " + base64.b64encode(pair.encode()).decode()


def _with_query(url: str, fields: Mapping[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urllib.parse.urlencode(fields)}"


def _shown(error: object) -> str:
    """Return a provider's error if it looks like an error code or is a number, else `no known reason`."""
    text = str(error)
    return text if _ERROR.fullmatch(text) or text.isdecimal() else "no known reason"
