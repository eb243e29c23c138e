"""Scoped tokens for programs, limited to a part of the user's permissions, a lifetime and some networks.

A token is shown once and stored as a digest. At each use its permissions are intersected with the user's
current permissions, so the token also loses each right that the user loses.
Shapes: `allow` has patterns of functions, and @runner, @wheel or @module; `on` is a target. A listed token is
{id, label, user, eauth, limits, cidr, start, expire}; `id` is a prefix of the token's digest.
Units: seconds, moments since the epoch. Bounds: `MOST` tokens of one user; lifetimes up to `LONGEST`.
Errors: InvocationError for a token with invalid properties.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.auth.tokens import Tokens
from salt_g.errors import InvocationError
from salt_g.shapes.loads import TokenContent

#: Maximum number of tokens of one user, of entries in one, and of characters of an entry.
MOST, MOST_ENTRIES, MAX_TEXT = 50, 100, 256
#: Longest lifetime and default lifetime.
LONGEST, PRESET = 400 * 86400.0, 90 * 86400.0
_LABEL = re.compile(r"[\w.-]{1,64}", re.A)
#: Number of leading digits of a digest that identify a token.
_ID = 16
_SHOWN = ("label", "eauth", "limits", "cidr", "start", "expire")


class ScopedTokens:
    """Scoped tokens in a separate directory."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def make(
        self,
        user: str,
        module: str,
        *,
        label: str,
        allow: Sequence[str],
        on: str = "*",
        lifetime: float = PRESET,
        cidr: Sequence[str] = (),
    ) -> TokenContent:
        """Create a token and return its content, with the token; `module` is the user's login module."""
        _check(label, allow, on, lifetime, cidr)
        # Otherwise, expired tokens would fill the disk until the next regular clean-up.
        self._tokens.clean()
        own = self.list(user, module)
        if any(one["label"] == label for one in own):
            raise InvocationError(f"{user} has a token {label!r}; revoke it first, or choose another name")
        if len(own) >= MOST:
            raise InvocationError(f"{user} has {MOST} tokens, the maximum; revoke some")
        about: TokenContent = {
            "name": user,
            "eauth": module,
            "label": label,
            "limits": limits(allow, on),
            "cidr": [*cidr],
        }
        return self._tokens.make(lifetime, about)

    def get(self, token: object, source: str) -> TokenContent:
        """Return the content of a token; {} if it is invalid or not allowed from the address `source`."""
        content = self._tokens.get(token)
        if not content or "limits" not in content or not _is_from(source, content.get("cidr") or ()):
            return {}
        return content

    def list(self, user: str = "", module: str = "") -> list[dict[str, Any]]:
        """Return descriptions of all tokens, or of a user's tokens, sorted by user and name."""
        found = [
            {"id": digest[:_ID], "user": str(content["name"]), **_shown(content)}
            for digest, content in self._tokens.walk()
            if all(name in content for name in _SHOWN)
            and user in ("", content["name"])
            and module in ("", content["eauth"])
        ]
        return sorted(found, key=lambda one: (one["user"], one["label"]))

    def revoke(self, id: str, user: str = "", module: str = "") -> bool:
        """Revoke a token by its id, optionally only if it belongs to a user; return whether it existed."""
        if not any(one["id"] == id for one in self.list(user, module)):
            return False
        return any(
            self._tokens.remove_digest(digest) for digest, _ in self._tokens.walk() if digest[:_ID] == id
        )


def limits(allow: Sequence[str], on: str) -> list[Any]:
    """Return the permissions for functions on the target `on`, and for runner and wheel functions."""
    functions = [one for one in allow if not one.startswith("@")]
    calls: list[Any] = [one for one in allow if one.startswith("@")]
    return [{on: functions}, *calls] if functions else calls


def _shown(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content[name] for name in _SHOWN}


def _check(label: str, allow: Sequence[str], on: str, lifetime: float, cidr: Sequence[str]) -> None:
    if not _LABEL.fullmatch(label):
        raise InvocationError("the name of a token must have 1 to 64 letters, digits, '.', '_' or '-'")
    if not 1 <= len(allow) <= MOST_ENTRIES or len(cidr) > MOST_ENTRIES:
        raise InvocationError(
            f"a token must allow 1 to {MOST_ENTRIES} functions and name at most {MOST_ENTRIES} networks"
        )
    for one in (*allow, on):
        if not isinstance(one, str) or not 0 < len(one) <= MAX_TEXT:
            raise InvocationError(f"functions and targets of a token must have 1 to {MAX_TEXT} characters")
    if any(one == "@events" for one in allow) or on.startswith("@"):
        raise InvocationError("a token can allow only functions, @runner, @wheel or @module, on a target")
    if isinstance(lifetime, bool) or not 1 <= lifetime <= LONGEST:
        raise InvocationError(f"a token must last from 1 second to {LONGEST / 86400:.0f} days")
    for network in cidr:
        try:
            ipaddress.ip_network(str(network), strict=False)
        except ValueError as exc:
            raise InvocationError(f"{exc}; write an address or a network such as 10.0.0.0/8") from exc


def _is_from(source: str, networks: Sequence[str]) -> bool:
    """Return whether a token can be used from an address; without networks, from any address."""
    if not networks:
        return True
    try:
        address = ipaddress.ip_address(source.partition(" ")[0].partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in ipaddress.ip_network(one, strict=False) for one in networks)


def shown(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a new token that its creator is shown, once."""
    return {name: content[name] for name in ("token", "name", "label", "limits", "cidr", "expire")}
