"""Invitations to new minions, as a master keeps them: one private file in its `pki_dir`.

Why its own file: an operator's command makes them while the master uses them up, so every change is made
under a lock of the file and reads it anew; of two minions that come with one code exactly one is counted.
Shapes: the file is JSON; {number: Invitation}, and {id: [moment, text]} of offers that were refused.
Units: seconds; moments since the epoch. Bounds: MOST invitations, MOST_REFUSED refusals.
Errors: KeysError says which file, what, and what to do.
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

#: Name of the file in `pki_dir`; the lock beside it ends in `.lock`.
FILE_NAME = "invitations"
#: Invitations that may be open at once, and refusals that are remembered.
MOST, MOST_REFUSED = 1000, 100
#: Refusals that are written and logged in a time (s); each writes the whole file.
REFUSALS, REFUSALS_TIME = 20, 60.0
#: How long one that is over is remembered for whoever comes late.
REMEMBERED = 86400.0
#: How long to wait for another program that changes the file.
_LOCK_TIMEOUT, _LOCK_STEP = 2.0, 0.02
_LARGEST_FILE = 4 * 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Invitation:
    """What is kept of one: the key of its MACs (hex), never the code.

    `id` is the one id that it lets in, '' for any. `used` has the fingerprints of the keys that it let in,
    by id.
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
        """How many more minions it lets in."""
        return self.uses - len(self.used)

    def problem(self, id: str, pem: str, mac: str, now: float) -> str:
        """Return why it does not let this key in, '' when it does."""
        if not hmac.compare_digest(prove(bytes.fromhex(self.key), id, pem), mac):
            return "the proof does not fit this id and key"
        if now >= self.expires:
            return "it has expired"
        if self.id and self.id != id:
            return f"it is for {self.id}"
        if id in self.used:
            # A key that was let in and is gone was taken away by an operator.
            return "it has let this id in before"
        return "" if self.left > 0 else f"it was used by {', '.join(self.used)}"


class Invitations:
    """The invitations of one master."""

    def __init__(
        self,
        pki_dir: str,
        *,
        write: Callable[[str, str], None] = disk.write_whole,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = os.path.join(pki_dir, FILE_NAME)
        self._write = write
        self._cached: tuple[tuple[int, ...], _Kept] | None = None
        self._written: list[float] = []
        self._clock = clock

    def make(self, *, lifetime: float, id: str = "", uses: int = 1, by: str = "") -> Code:
        """Return the code of a new invitation; it is kept nowhere."""
        with self._changing() as kept:
            open_ones = [one for one in kept.invitations.values() if one.expires > self._clock() and one.left]
            if len(open_ones) >= MOST:
                raise KeysError(self.path, f"{MOST} invitations are open; revoke some, or wait for their end")
            code = new_code(os.urandom)
            kept.invitations[code.number] = Invitation(
                code.number, code.key.hex(), self._clock() + lifetime, uses, id, by
            )
        log.info("invitation %s made for %s", code.number, id or "any id")
        return code

    def all(self) -> list[Invitation]:
        """Return the invitations that are remembered, those that expire first first."""
        return sorted(self._read().invitations.values(), key=lambda one: one.expires)

    def revoke(self, number: str) -> bool:
        """Forget an invitation; return whether there was one."""
        with self._changing() as kept:
            return kept.invitations.pop(number, None) is not None

    def refused(self) -> dict[str, str]:
        """Return {id: why its invitation did not let it in}."""
        return {id: text for id, (_, text) in self._read().refused.items()}

    def redeem(self, offer: InvitationOffer, id: str, pem: str) -> str:
        """Count a use; return why not, '' when the key may be accepted now.

        The use is on the disk before the key is accepted: after a crash in between the key waits for an
        operator, instead of the code for a second minion.
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
        """Tell a refusal once: in the log, and to who lists keys."""
        text = f"invitation {offer.number} does not let it in: {problem}"
        refused = self._seen().refused
        if refused.get(id, (0, ""))[1] == text or len(refused.keys() - {id}) >= MOST_REFUSED:
            return
        if not self._may_remember():
            return
        log.warning("%s: %s", id, text)
        with self._changing() as kept:
            kept.refused[id] = (self._clock(), text)

    def _may_remember(self) -> bool:
        """Return whether another refusal may be written now; offers are made up in no time."""
        now = self._clock()
        self._written = [at for at in self._written if 0 <= now - at < REFUSALS_TIME]
        if len(self._written) >= REFUSALS:
            return False
        self._written.append(now)
        return True

    def _seen(self) -> _Kept:
        """Return what the file holds, read only when it has changed; it is looked at and not changed."""
        try:
            found = os.stat(self.path, follow_symlinks=False)
        except FileNotFoundError:
            return _Kept({}, {})
        seen = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._cached is None or self._cached[0] != seen:
            self._cached = (seen, self._read())
        return self._cached[1]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[_Kept]:
        """Give what is kept now; what it is at the end of the block is written, unless the block fails."""
        disk.make_private_directory(os.path.dirname(self.path))
        with self._locked():
            kept = self._read()
            kept.forget(self._clock())
            yield kept
            self._write(self.path, offload_in_daemon(kept.text))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock, also against other greenlets: each opens the file for itself."""
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
                    raise KeysError(self.path, "another program is changing it and does not end") from None
            time.sleep(_LOCK_STEP)

    def _read(self) -> _Kept:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return _Kept({}, {})
        try:
            return offload_in_daemon(_parsed, descriptor)
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            raise KeysError(self.path, f"is no file of invitations ({exc}); remove it, codes end") from exc


def _parsed(descriptor: int) -> _Kept:
    with open(descriptor, encoding="utf-8") as file:
        text = file.read(_LARGEST_FILE)
    return _Kept.parse(json.loads(text))


@dataclasses.dataclass
class _Kept:
    """What the file holds."""

    invitations: dict[str, Invitation]
    refused: dict[str, tuple[float, str]]

    @classmethod
    def parse(cls, data: Any) -> _Kept:
        """Return what the JSON of a file says."""
        invitations = {number: Invitation(**one) for number, one in data["invitations"].items()}
        return cls(invitations, {id: (float(at), str(text)) for id, (at, text) in data["refused"].items()})

    def text(self) -> str:
        """Return the content of the file."""
        invitations = {number: dataclasses.asdict(one) for number, one in self.invitations.items()}
        return json.dumps({"invitations": invitations, "refused": self.refused}, indent=1) + "\n"

    def forget(self, now: float) -> None:
        """Drop what is over for long."""
        for number, one in list(self.invitations.items()):
            if one.expires + REMEMBERED < now:
                del self.invitations[number]
        for id, (at, _) in list(self.refused.items()):
            if at + REMEMBERED < now:
                del self.refused[id]

    def problem(self, offer: InvitationOffer, id: str, pem: str, now: float) -> str:
        """Return why an offer lets nobody in, '' when it does."""
        one = self.invitations.get(offer.number)
        return one.problem(id, pem, offer.mac, now) if one else "no such invitation is known here"
