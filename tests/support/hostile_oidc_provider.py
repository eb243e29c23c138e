"""A hostile OpenID provider in a thread, which signs whatever a test requests."""

from __future__ import annotations

import base64
import contextlib
import functools
import hmac
import http.server
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.support.servers import serving


@functools.lru_cache(maxsize=2)
def key(name: str = "first") -> RSAKey:
    """Return a key pair; making one takes a while."""
    made: RSAKey = RSAKey.generate_key(2048, {"kid": name})
    return made


class HostileProvider:
    """The provider; `replies` maps paths to (status, response), `token` is what it returns for any code."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self.requests: list[tuple[str, str]] = []
        self.token = ""
        self.keys: list[Any] = [key().as_dict(private=False)]
        self.document: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/end",
        }
        self.replies: dict[str, tuple[int, Any]] = {}

    def reply(self, path: str, body: str) -> tuple[int, Any]:
        """Return (status, response) for a request."""
        self.requests.append((path, body))
        if path in self.replies:
            return self.replies[path]
        known = {
            "/.well-known/openid-configuration": self.document,
            "/keys": {"keys": self.keys},
            "/token": {"id_token": self.token, "token_type": "Bearer", "access_token": "unused"},
        }
        return (200, known[path]) if path in known else (404, {})

    def claims(self, **changed: Any) -> dict[str, Any]:
        """Return the claims of a valid token for the client `api`, with changes; None leaves one out."""
        now = int(time.time())
        claims = {
            **{"iss": self.issuer, "aud": "api", "sub": "17", "iat": now, "exp": now + 300},
            **{"preferred_username": "ann", "groups": ["ops"], **changed},
        }
        return {name: value for name, value in claims.items() if value is not None}

    def signed(
        self, *, by: RSAKey | None = None, alg: str = "RS256", kid: str | None = "first", **changed: Any
    ) -> str:
        """Return a token."""
        header = {"alg": alg, "kid": kid} if kid else {"alg": alg}
        token: str = jwt.encode(header, self.claims(**changed), by or key(), algorithms=[alg])
        return token

    def unsigned(self, **changed: Any) -> str:
        """Return a token without a signature."""
        return _joined({"alg": "none"}, self.claims(**changed)) + "."

    def signed_with_public_key(self, **changed: Any) -> str:
        """Return a token that is signed with the public key as a shared secret."""
        body = _joined({"alg": "HS256", "kid": "first"}, self.claims(**changed))
        return f"{body}.{_text(hmac.digest(key().as_pem(private=False), body.encode(), 'sha256'))}"


def _joined(*parts: Mapping[str, Any]) -> str:
    return ".".join(_text(json.dumps(one).encode()) for one in parts)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@contextlib.contextmanager
def running_hostile_provider() -> Iterator[HostileProvider]:
    """Yield a provider that listens on its own port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            status, answer = provider.reply(self.path, self.rfile.read(length).decode())
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        provider = HostileProvider(server.server_port)
        yield provider
