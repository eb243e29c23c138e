"""Protocols of a master's store and keys, for calls on that master; see `services.daemons.MasterServices`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol


class Settled(Protocol):
    """Outcome of a write in progress, see `cache/futures.py`."""

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the outcome and return it; raises StoreError, TimeoutError."""


class Banks(Protocol):
    """Cached values by bank and key, see `cache/banks.py`."""

    def store(self, bank: str, key: str, data: Any, expires: float | None = None) -> Settled:
        """Store a value, which expires after `expires` seconds if given."""

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, or {} if there is none."""

    def flush(self, bank: str, key: str | None = None) -> Settled:
        """Remove a value, or a bank with all banks below it; the outcome is the number of removed values."""

    def list(self, bank: str) -> Sequence[str]:
        """Return the keys of a bank and the names of the banks directly below it."""


class Invitations(Protocol):
    """Invitations of minions, see `keys/invitations.py`."""

    def make(self, *, lifetime: float, id: str, uses: int, by: str) -> Any:
        """Create an invitation and return its code."""

    def all(self) -> Iterable[Any]:
        """Return the remembered invitations."""

    def revoke(self, number: str) -> bool:
        """Revoke an invitation; return whether it existed."""


#: {state of keys: [id, ...]}
KeyListing = dict[str, list[str]]
#: {state of keys: {id: PEM text or fingerprint}}
KeyTexts = dict[str, dict[str, str]]


class Keys(Protocol):
    """Keys of minions, see `keys/store.py`."""

    @property
    def invitations(self) -> Invitations:
        """Invitations of minions."""

    def accepted(self) -> frozenset[str]:
        """Return the ids of accepted minions."""

    def find(self, id: str) -> Any:
        """Return (state, key) of an id, or None if unknown."""

    def list_status(self, status: str) -> KeyListing:
        """Return the keys that a word of `key -l` selects."""

    def all_keys(self) -> KeyListing:
        """Return all keys, and the master's own files."""

    def glob_match(self, match: str | Sequence[str], *, full: bool = False) -> KeyListing:
        """Return the keys whose ids match."""

    def key_str(self, match: str | Sequence[str]) -> KeyTexts:
        """Return the PEM texts of matching keys."""

    def finger(
        self, match: str | Sequence[str], hash_type: str = "sha256", *, full: bool = False
    ) -> KeyTexts:
        """Return the fingerprints of matching keys."""

    def accept(
        self, match: str | KeyListing, *, include_rejected: bool = False, include_denied: bool = False
    ) -> KeyListing:
        """Accept keys; return the new states of the matching ones."""

    def reject(
        self,
        match: str | KeyListing,
        *,
        include_accepted: bool = False,
        include_denied: bool = False,
        rotates: bool = True,
    ) -> KeyListing:
        """Reject keys; return the new states of the matching ones."""

    def delete(
        self, match: str | KeyListing, *, keeps_data: bool = False, rotates: bool = True
    ) -> KeyListing:
        """Delete keys; return the matching keys that remain."""

    def preseed(self, id: str, pem: str) -> None:
        """Accept a key that no minion has sent yet."""

    def gen_keys(
        self, directory: str, name: str, *, bits: int, hash_type: str = "sha256", user: str | None = None
    ) -> str:
        """Generate a key pair unless it exists; return the fingerprint of the public key."""

    def gen_signature(self, opts: Mapping[str, Any], **options: Any) -> bool | str:
        """Sign the master's public key."""
