"""OpenID provider, whose discovery document and keys are fetched over HTTPS and cached.

Redirects are not followed. The issuer and all URLs in the document must use HTTPS, except on this host.
Bounds: size and time of answers; how often keys are fetched again for an unknown key id.
Units: seconds of the monotonic clock, bytes.
Errors: ProviderError when the provider cannot be reached or sends an invalid answer.
Source: OpenID Connect Discovery 1.0, sections 3 and 4; RFC 7517.
"""

from __future__ import annotations

import functools
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

import gevent

from salt_g.errors import AuthModuleError
from salt_g.net import tls

#: Time limit of one request (s), and maximum size of an accepted answer (bytes).
TIMEOUT, MAX_ANSWER = 10.0, 512 * 1024
#: Time for which the document and the keys are kept, and the minimum time between two readings for unknown
#: keys (s).
KEPT, AGAIN_AFTER = 3600.0, 30.0
#: Time for which a failure is remembered (s), so that a flood of logins does not query an unavailable
#: provider.
FAILED_FOR = 2.0
#: Maximum number of keys of a provider.
_MAX_KEYS = 100
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_DOCUMENT = "/.well-known/openid-configuration"


class ProviderError(AuthModuleError):
    """Failure of a provider, which is unreachable or sends invalid answers."""

    def __init__(self, problem: str) -> None:
        super().__init__("oidc", problem)


class Provider:
    """Client of one provider, which is identified by its issuer."""

    def __init__(
        self, issuer: str, ca_bundle: str = "", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        _check_url(issuer, "issuer")
        self.issuer = issuer
        self._ca_bundle = ca_bundle
        self._clock = clock
        self._document: dict[str, Any] = {}
        self._document_end = float("-inf")
        self._keys: list[dict[str, Any]] = []
        self._keys_end = float("-inf")
        #: Before this moment the keys are not read again for an unknown key id.
        self._not_before = float("-inf")
        self._failure: tuple[float, str] = (float("-inf"), "")

    def document(self) -> Mapping[str, Any]:
        """Return the discovery document, cached for a while."""
        if self._clock() >= self._document_end:
            found = self._get(self.issuer.rstrip("/") + _DOCUMENT)
            if found.get("issuer") != self.issuer:
                other = str(found.get("issuer"))[:200]
                raise ProviderError(f"{self.issuer} calls itself the issuer {other!r}; set ^issuer to that")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                _check_url(str(found.get(name) or ""), name)
            self._document, self._document_end = found, self._clock() + KEPT
        return self._document

    def keys(self, kid: str) -> list[dict[str, Any]]:
        """Return the public keys; fetch them again, at limited intervals, if none has the id `kid`."""
        now = self._clock()
        is_known = not kid or any(key.get("kid") == kid for key in self._keys)
        if now >= self._keys_end or (not is_known and now >= self._not_before):
            self._not_before = now + AGAIN_AFTER
            found = self._get(str(self.document()["jwks_uri"])).get("keys")
            if not isinstance(found, list):
                raise ProviderError(f"the keys of {self.issuer} are not a list")
            self._keys = [key for key in found[:_MAX_KEYS] if isinstance(key, dict)]
            self._keys_end = self._clock() + KEPT
        return self._keys

    def post(
        self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]
    ) -> tuple[int, dict[str, Any]]:
        """Send a form by POST; return the status and the answer."""
        return self._ask(url, urllib.parse.urlencode(fields).encode(), headers)

    def _get(self, url: str) -> dict[str, Any]:
        end, problem = self._failure
        if self._clock() < end:
            raise ProviderError(problem)
        try:
            status, found = self._ask(url, None, {})
            if status != 200:
                raise ProviderError(f"{url} answers with status {status}")
        except ProviderError as exc:
            self._failure = (self._clock() + FAILED_FOR, str(exc).partition(": ")[2])
            raise
        return found

    def _ask(self, url: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        """Send a request and return (status, answer); a refusal's answer is {} unless it is a JSON object."""
        request = urllib.request.Request(url, body, {"Accept": "application/json", **headers})
        try:
            with gevent.Timeout(TIMEOUT, TimeoutError(f"no answer within {TIMEOUT:g} s")):
                return self._answer_to(request, url)
        # Also raised if the answer is not HTTP.
        except (OSError, http.client.HTTPException) as exc:
            reason = getattr(exc, "reason", None) or exc
            raise ProviderError(f"{url} cannot be reached: {reason}") from None

    def _answer_to(self, request: urllib.request.Request, url: str) -> tuple[int, dict[str, Any]]:
        try:
            with self._opener().open(request, timeout=TIMEOUT) as answer:
                return answer.status, _read(answer.read(MAX_ANSWER + 1), url)
        except urllib.error.HTTPError as exc:
            with exc:
                return exc.code, _read_refusal(exc.read(MAX_ANSWER))

    def _opener(self) -> urllib.request.OpenerDirector:
        context = tls.client_context(ca_bundle=self._ca_bundle or None)
        return urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), _NoRedirects())


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirect handler that follows no redirect, because the target could be another provider."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Return None, so that a redirect counts as a refusal."""
        return


@functools.lru_cache(maxsize=8)
def provider_of(issuer: str, ca_bundle: str) -> Provider:
    """Return the provider of an issuer, always the same object so that its cached data is reused."""
    return Provider(issuer, ca_bundle)


def _check_url(url: str, what: str) -> None:
    """Raise ProviderError for a URL without HTTPS, except on this host."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme == "http" and parts.hostname in _LOOPBACK:
        return
    raise ProviderError(f"{what} must be an address with https://, not {url[:200]!r}")


def _read(text: bytes, url: str) -> dict[str, Any]:
    if len(text) > MAX_ANSWER:
        raise ProviderError(f"{url} answers with more than {MAX_ANSWER} bytes")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderError(f"{url} does not answer with a JSON object")
    return found


def _read_refusal(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
