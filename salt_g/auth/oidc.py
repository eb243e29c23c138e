"""Authentication `oidc`, by ID tokens of an OpenID provider, each of which is accepted once as a password.

The master verifies each token itself: the signature with a key of the provider, the issuer, the audience, the
times.
Shapes: options are in `external_auth: oidc:` with a `^` in front: `issuer`, `client_id`, `client_secret`,
`redirect_uri`, `user_claim` (preferred_username), `groups_claim` (groups; `a.b` is the key b of an object a),
`scopes` (openid profile email), `algorithms`, `leeway` (60 s), `ca_bundle`, `after_login` (/).
Errors: AuthModuleError with the reason why a token is refused; no text contains a part of the token.
Source: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725.
"""

from __future__ import annotations

import base64
import binascii
import collections
import functools
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.auth.oidc_provider import Provider, provider_of
from salt_g.errors import AuthModuleError
from salt_g.shapes import Opts

#: Longest ID token (characters), and maximum age of one (s).
MAX_TOKEN, MAX_AGE = 16 * 1024, 600.0
#: Algorithms of signatures with a key pair. Those with a shared secret, and `none`, are never accepted.
ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
#: Maximum number of groups of a user, and the longest name of a group (characters).
_MAX_GROUPS, _MAX_NAME = 1000, 256
#: Maximum number of tokens remembered as used, more than can be valid at once with 100 logins a second.
_MOST_USED = 100_000


class TokenRefused(AuthModuleError):
    """Refusal of an ID token; the text gives the reason."""

    def __init__(self, problem: str) -> None:
        super().__init__("oidc", problem)


class OidcSettings(NamedTuple):
    """Options of `external_auth: oidc`."""

    issuer: str
    client_id: str
    client_secret: str
    redirect_uri: str
    user_claim: str
    groups_claim: str
    scopes: str
    algorithms: tuple[str, ...]
    leeway: float
    ca_bundle: str
    after_login: str

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> OidcSettings:
        """Return the settings; raise AuthModuleError for missing or invalid ones."""

        def text(name: str, default: str = "") -> str:
            return str(options.get(f"^{name}") or default)

        for name in ("issuer", "client_id"):
            if not text(name):
                raise AuthModuleError("oidc", f"external_auth:oidc:^{name} is missing")
        algorithms = tuple(map(str, options.get("^algorithms") or ALGORITHMS))
        wrong = [name for name in algorithms if name not in ALGORITHMS]
        if wrong:
            raise AuthModuleError("oidc", f"^algorithms: {wrong[0]!r} is not one of {', '.join(ALGORITHMS)}")
        return cls(
            issuer=text("issuer"),
            client_id=text("client_id"),
            client_secret=text("client_secret"),
            redirect_uri=text("redirect_uri"),
            user_claim=text("user_claim", "preferred_username"),
            groups_claim=text("groups_claim", "groups"),
            scopes=text("scopes", "openid profile email"),
            algorithms=algorithms,
            leeway=float(options.get("^leeway", 60)),
            ca_bundle=text("ca_bundle"),
            after_login=text("after_login", "/"),
        )

    @property
    def provider(self) -> Provider:
        """The provider, shared by all logins so that its cached document and keys are reused."""
        return provider_of(self.issuer, self.ca_bundle)


class Checker:
    """Checker of one login."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        self._settings = OidcSettings.of(options)
        self._claims: Mapping[str, Any] = {}

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the ID token names this user; raise AuthModuleError if the token is refused."""
        claims = checked_claims(self._settings, password)
        if user_of(self._settings, claims) != username:
            return False
        if not _used_tokens(self._settings.issuer).take(password, time.time()):
            raise TokenRefused("this ID token has already been used for a login")
        self._claims = claims
        return True

    def groups(self, username: str) -> list[str]:
        """Return the groups in the verified token."""
        return groups_of(self._settings, self._claims)

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None


class UsedTokens:
    """Digests of ID tokens that were used for a login, remembered as long as the tokens could be valid."""

    def __init__(self) -> None:
        self._ends: collections.OrderedDict[bytes, float] = collections.OrderedDict()

    def __len__(self) -> int:
        return len(self._ends)

    def take(self, token: str, now: float) -> bool:
        """Record a token as used; return False if it was used before."""
        # Only the signed part is hashed, because the same signature can be written in several ways.
        digest = hashlib.sha256(token.rpartition(".")[0].encode()).digest()
        if self._ends.get(digest, 0.0) > now:
            return False
        while self._ends and (len(self._ends) >= _MOST_USED or next(iter(self._ends.values())) <= now):
            self._ends.popitem(last=False)
        # A token is valid for MAX_AGE after it was issued, and both clocks may differ.
        self._ends[digest] = now + 2 * MAX_AGE
        return True


@functools.lru_cache(maxsize=8)
def _used_tokens(issuer: str) -> UsedTokens:
    return UsedTokens()


def checked_claims(
    settings: OidcSettings, token: str, *, clock: Callable[[], float] = time.time
) -> Mapping[str, Any]:
    """Return the claims of a valid ID token; raises TokenRefused or ProviderError."""
    header = _header_of(token)
    if header.get("alg") not in settings.algorithms:
        raise TokenRefused(
            f"the ID token is signed with {str(header.get('alg'))[:20]!r}, which is not accepted"
        )
    claims = _verified(settings, token, str(header.get("kid") or ""))
    _check_parties(settings, claims)
    _check_times(settings, claims, clock())
    return claims


def user_of(settings: OidcSettings, claims: Mapping[str, Any]) -> str:
    """Return the user in the claims of a token; raise TokenRefused if there is no usable one."""
    user = claims.get(settings.user_claim)
    if not isinstance(user, str) or not 0 < len(user) <= _MAX_NAME or not user.isprintable():
        raise TokenRefused(f"the ID token has no usable {settings.user_claim!r}; see ^user_claim and ^scopes")
    if settings.user_claim == "email" and claims.get("email_verified") is not True:
        raise TokenRefused("the address in the ID token is not verified by the provider")
    return user


def groups_of(settings: OidcSettings, claims: Mapping[str, Any]) -> list[str]:
    """Return the groups in the claims of a token."""
    found: Any = claims.get(settings.groups_claim)
    if found is None:
        found = claims
        for name in settings.groups_claim.split("."):
            found = found.get(name) if isinstance(found, dict) else None
    listed = found if isinstance(found, list) else []
    return [one for one in listed[:_MAX_GROUPS] if isinstance(one, str) and 0 < len(one) <= _MAX_NAME]


def _header_of(token: str) -> Mapping[str, Any]:
    if len(token) > MAX_TOKEN or token.count(".") != 2 or not token.isascii():
        raise TokenRefused("this is not a signed ID token")
    return _part(token, 0)


def _part(token: str, place: int) -> Mapping[str, Any]:
    """Decode the header (0) or the claims (1) of a token without verification."""
    try:
        text = token.split(".")[place]
        found = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, IndexError, RecursionError, binascii.Error):
        found = None
    if not isinstance(found, dict):
        raise TokenRefused("this is not a signed ID token")
    return found


def _verified(settings: OidcSettings, token: str, kid: str) -> Mapping[str, Any]:
    """Return the claims of a token after verifying the provider's signature; raises TokenRefused."""
    try:
        # Imported lazily: it loads OpenSSL, for a first login.
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet
    except ImportError:
        raise AuthModuleError("oidc", "it needs `pip install salt-g[oidc]`") from None
    # Symmetric keys are left out, because a secret that a provider publishes among its keys is no secret.
    keys = [key for key in settings.provider.keys(kid) if key.get("kty") in ("RSA", "EC", "OKP")]
    fitting = [key for key in keys if not kid or key.get("kid") in (None, kid)]
    if not fitting:
        raise TokenRefused(f"the provider {settings.issuer} has no key with the id that the ID token names")
    for key in fitting:
        try:
            key_set = KeySet.import_key_set({"keys": [{**key, "kid": kid or key.get("kid") or "1"}]})
            claims = jwt.decode(token, key_set, algorithms=[*settings.algorithms]).claims
        # The library raises errors of several families for malformed keys and tokens.
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if isinstance(claims, dict):
            return claims
    raise TokenRefused("the ID token is not signed by the provider")


def _check_parties(settings: OidcSettings, claims: Mapping[str, Any]) -> None:
    if claims.get("iss") != settings.issuer:
        raise TokenRefused(f"the issuer of the ID token is not {settings.issuer}")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if settings.client_id not in audiences:
        raise TokenRefused(f"the audience of the ID token does not include {settings.client_id}")
    party = claims.get("azp")
    if (party is not None or len(audiences) > 1) and party != settings.client_id:
        raise TokenRefused(f"the authorized party of the ID token is not {settings.client_id}")


def _check_times(settings: OidcSettings, claims: Mapping[str, Any], now: float) -> None:
    times = {name: claims.get(name) for name in ("exp", "iat", "nbf")}
    for name, value in times.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number and not (name == "nbf" and value is None):
            raise TokenRefused(f"the ID token has no timestamp {name!r}")
    if now > float(claims["exp"]) + settings.leeway:
        raise TokenRefused(f"the ID token expired {now - claims['exp']:.0f} s ago; is the clock right?")
    begins = max(float(claims["iat"]), float(claims.get("nbf") or 0))
    if now < begins - settings.leeway:
        raise TokenRefused(f"the ID token becomes valid only in {begins - now:.0f} s; is the clock right?")
    if now - float(claims["iat"]) > MAX_AGE + settings.leeway:
        raise TokenRefused(f"the ID token was made more than {MAX_AGE:g} s ago; log in again")
