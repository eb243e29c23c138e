"""Invitations of a master for new minions, in one private file in `pki_dir`.

Operators' commands create invitations while the master redeems them, so every change is made under a file
lock on freshly read content. If two minions use the same code, only one succeeds.
Shapes: the file is JSON, {invitations: {number: Invitation}, refused: {id: [moment, text]}}.
Units: seconds; moments since the epoch. Bounds: MOST invitations, MOST_REFUSED refusals.
Errors: KeysError, which names the file, the problem and the remedy.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import hmac
import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.errors import KeysError
from salt_g.process import disk
from salt_g.process.offload import offload_in_daemon
from salt_g.wire.invitation import Code, InvitationOffer, new_code, prove
from salt_g.wire.pem import fingerprint

log = logging.getLogger(__name__)

#: Name of the file in `pki_dir`; the name of its lock ends in `.lock`.
FILE_NAME = "invitations"
#: Maximum number of open invitations, and of remembered refusals.
MOST, MOST_REFUSED = 1000, 100
#: Number of refusals written and logged per period (s); each rewrites the whole file.
REFUSALS, REFUSALS_TIME = 20, 60.0
#: Time for which an expired or used invitation is remembered for late minions (s).
REMEMBERED = 86400.0
#: Longest wait for another program that changes the file, and the pause between two attempts (s).
_LOCK_TIMEOUT, _LOCK_STEP = 2.0, 0.02
_LARGEST_FILE = 4 * 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Invitation:
    """Stored invitation, with the key for its MACs (hex) but without the code.

    `id` is the only id that the invitation admits, '' for any. `used` has the fingerprints of the admitted
    keys by id.
    """

    number: str
    key: str
    expires: float
    uses: int
    id: str = ""
    by: str = ""
    used: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def left(self) -> int:
        """Number of further minions that the invitation admits."""
        return self.uses - len(self.used)

    def problem(self, id: str, pem: str, mac: str, now: float) -> str:
        """Return why the invitation does not admit this key, or '' if it does."""
        if not hmac.compare_digest(prove(bytes.fromhex(self.key), id, pem), mac):
            return "the proof does not fit this id and key"
        if now >= self.expires:
            return "it has expired"
        if self.id and self.id != id:
            return f"it is for {self.id}"
        if id in self.used:
            # If a key was admitted and is gone, an operator has removed it.
            return "it has already admitted this id"
        return "" if self.left > 0 else f"it was used by {', '.join(self.used)}"


class Invitations:
    """Invitations of one master."""

    def __init__(
        self,
        pki_dir: str,
        *,
        write: Callable[[str, str], None] = disk.write_whole,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = os.path.join(pki_dir, FILE_NAME)
        self._write = write
        self._cached: tuple[tuple[int, ...], KeptInvitations] | None = None
        self._written: list[float] = []
        self._clock = clock

    def make(self, *, lifetime: float, id: str = "", uses: int = 1, by: str = "") -> Code:
        """Create an invitation and return its code, which is not stored."""
        with self._changing() as kept:
            open_ones = [one for one in kept.invitations.values() if one.expires > self._clock() and one.left]
            if len(open_ones) >= MOST:
                raise KeysError(
                    self.path,
                    f"{MOST} invitations are open, the maximum; revoke some, or wait until some expire",
                )
            code = new_code(os.urandom)
            kept.invitations[code.number] = Invitation(
                code.number, code.key.hex(), self._clock() + lifetime, uses, id, by
            )
        log.info("invitation %s created for %s", code.number, id or "any id")
        return code

    def all(self) -> list[Invitation]:
        """Return the stored invitations, sorted by expiry."""
        return sorted(self._read().invitations.values(), key=lambda one: one.expires)

    def revoke(self, number: str) -> bool:
        """Delete an invitation; return whether it existed."""
        with self._changing() as kept:
            return kept.invitations.pop(number, None) is not None

    def refused(self) -> dict[str, str]:
        """Return {id: reason why its invitation was refused}."""
        return {id: text for id, (_, text) in self._read().refused.items()}

    def text(self) -> str:
        """Return all invitations as the text of the file."""
        return self._read().text()

    def replace(self, text: str) -> None:
        """Replace all invitations and refusals with those in the text of another master's file."""
        with self._changing() as kept:
            other = KeptInvitations.parse(json.loads(text))
            kept.invitations, kept.refused = other.invitations, other.refused

    def redeem(self, offer: InvitationOffer, id: str, pem: str) -> str:
        """Count a use of an invitation; return the reason for a refusal, or '' if the key may be accepted.

        The use is on disk before the key is accepted, so that after a crash in between the key stays pending,
        and the code cannot admit a second minion.
        """
        problem = self._seen().problem(offer, id, pem, self._clock())
        if problem:
            self._remember(offer, id, problem)
            return problem
        with self._changing() as kept:
            problem = kept.problem(offer, id, pem, self._clock())
            if not problem:
                one = kept.invitations[offer.number]
                used = {**one.used, id: fingerprint(pem)}
                kept.invitations[offer.number] = dataclasses.replace(one, used=used)
                kept.refused.pop(id, None)
        if problem:
            self._remember(offer, id, problem)
        return problem

    def _remember(self, offer: InvitationOffer, id: str, problem: str) -> None:
        """Log a refusal and store it for key listings, unless it is already stored."""
        text = f"invitation {offer.number} is refused: {problem}"
        refused = self._seen().refused
        if refused.get(id, (0, ""))[1] == text or len(refused.keys() - {id}) >= MOST_REFUSED:
            return
        if not self._may_remember():
            return
        log.warning("%s: %s", id, text)
        with self._changing() as kept:
            kept.refused[id] = (self._clock(), text)

    def _may_remember(self) -> bool:
        """Return whether another refusal may be stored now; a rate limit makes forged offers cheap."""
        now = self._clock()
        self._written = [at for at in self._written if 0 <= now - at < REFUSALS_TIME]
        if len(self._written) >= REFUSALS:
            return False
        self._written.append(now)
        return True

    def _seen(self) -> KeptInvitations:
        """Return the content of the file, cached until the file changes; callers must not modify it."""
        try:
            found = os.stat(self.path, follow_symlinks=False)
        except FileNotFoundError:
            return KeptInvitations({}, {})
        seen = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._cached is None or self._cached[0] != seen:
            self._cached = (seen, self._read())
        return self._cached[1]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[KeptInvitations]:
        """Yield the current content and write it at the end of the block, unless the block fails."""
        disk.make_private_directory(os.path.dirname(self.path))
        with self._locked():
            kept = self._read()
            kept.forget(self._clock())
            yield kept
            self._write(self.path, offload_in_daemon(kept.text))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the file lock, which also excludes other greenlets because each opens the file separately."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(f"{self.path}.lock", flags, disk.PRIVATE_FILE)
        try:
            self._wait_for(descriptor)
            yield
        finally:
            os.close(descriptor)

    def _wait_for(self, descriptor: int) -> None:
        end = time.monotonic() + _LOCK_TIMEOUT
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    raise KeysError(self.path, "another program has held the lock for too long") from None
            time.sleep(_LOCK_STEP)

    def _read(self) -> KeptInvitations:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return KeptInvitations({}, {})
        try:
            return offload_in_daemon(_parsed, descriptor)
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            raise KeysError(
                self.path, f"is not a file of invitations ({exc}); remove it to revoke all codes"
            ) from exc


def _parsed(descriptor: int) -> KeptInvitations:
    with open(descriptor, encoding="utf-8") as file:
        text = file.read(_LARGEST_FILE)
    return KeptInvitations.parse(json.loads(text))


@dataclasses.dataclass
class KeptInvitations:
    """Parsed content of the file of invitations."""

    invitations: dict[str, Invitation]
    refused: dict[str, tuple[float, str]]

    @classmethod
    def parse(cls, data: Any) -> KeptInvitations:
        """Create an object from the parsed JSON of a file."""
        invitations = {number: Invitation(**one) for number, one in data["invitations"].items()}
        return cls(invitations, {id: (float(at), str(text)) for id, (at, text) in data["refused"].items()})

    def text(self) -> str:
        """Return the text of the file."""
        invitations = {number: dataclasses.asdict(one) for number, one in self.invitations.items()}
        return json.dumps({"invitations": invitations, "refused": self.refused}, indent=1) + "\n"

    def forget(self, now: float) -> None:
        """Remove invitations that expired, and refusals made, more than `REMEMBERED` seconds ago."""
        for number, one in list(self.invitations.items()):
            if one.expires + REMEMBERED < now:
                del self.invitations[number]
        for id, (at, _) in list(self.refused.items()):
            if at + REMEMBERED < now:
                del self.refused[id]

    def problem(self, offer: InvitationOffer, id: str, pem: str, now: float) -> str:
        """Return why an offer is refused, or '' when it is valid."""
        one = self.invitations.get(offer.number)
        return one.problem(id, pem, offer.mac, now) if one else "unknown invitation"
