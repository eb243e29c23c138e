"""Acceptance, rejection and removal of one key: its file moves, and the change is reported.

Every change is reported to a callback before the call returns, so that a session ends together with its key.
Errors: OSError if the disk fails.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Mapping

from salt_g.errors import WireError
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED, AdmissionVerdict, KeyState
from salt_g.keys.files import LOOK_UP, KeyFiles
from salt_g.wire.pem import clean_pem

log = logging.getLogger(__name__)

#: Maximum number of keys of each state that minions themselves can create; a key has at most 4 KiB.
LIMITS = {PENDING: 20_000, REJECTED: 20_000, DENIED: 1_000}
#: {state: word for a key that enters it}
ACTS = {ACCEPTED: "accepted", REJECTED: "rejected", PENDING: "pending", DENIED: "denied"}


@dataclasses.dataclass(frozen=True)
class KeyChange:
    """Change of an id's key.

    `act` is the word in the `salt/key` event: accepted, rejected, pending, denied, delete. `offered` is set
    when a minion's offer caused the change, not an operator. `revokes` is set when an accepted key is no
    longer accepted, so that its session must end now. `result` is False when the file was not a valid key
    and was not moved. `replaces` is set when another key of the id, in any state, was on file. `keeps_data`
    and `rotates` are options of the operator: keep the cached data of the minion, and rotate the publish key.
    """

    id: str
    act: str
    revokes: bool = False
    offered: bool = False
    result: bool = True
    pem: str = ""
    keeps_data: bool = False
    rotates: bool = True
    replaces: bool = False


def ignore(change: KeyChange) -> None:
    """Do nothing about a change."""


class Acceptance:
    """Changes of single keys in `files`, each reported to `on_change`."""

    def __init__(
        self, files: KeyFiles, *, on_change: Callable[[KeyChange], None], limits: Mapping[str, int] = LIMITS
    ) -> None:
        self.files = files
        self._on_change = on_change
        self._limits = limits
        self._directories = files.directories

    def keep_offer(
        self, id: str, pem: str, known: KeyState | None, verdict: AdmissionVerdict
    ) -> AdmissionVerdict:
        """Keep an offered key as its verdict says; return the verdict, without `keep` if there is no room."""
        directory = self._directories[verdict.keep]
        if verdict.keep != ACCEPTED and id not in directory:
            limit = self._limits[verdict.keep]
            if directory.about() >= limit:
                log.warning("%s: key not stored: %d keys are already %s", id, limit, ACTS[verdict.keep])
                return dataclasses.replace(verdict, reason=f"{verdict.reason}; no room to keep it", keep="")
        if verdict.keep == DENIED and directory.read(id) == clean_pem(pem):
            # The same key was offered again, so there is nothing to write or to report.
            return verdict
        directory.write(id, pem)
        # Without a known key there is none to remove.
        revokes = known is not None and verdict.keep != DENIED and self._leave_others(id, verdict.keep, known)
        log.log(
            logging.WARNING if verdict.keep == DENIED else logging.INFO,
            "%s: key %s: %s",
            id,
            ACTS[verdict.keep],
            verdict.reason,
        )
        self._on_change(KeyChange(id, ACTS[verdict.keep], revokes=revokes, offered=True, pem=pem))
        return verdict

    def move(self, id: str, source: str, state: str, *, rotates: bool) -> None:
        """Move a key to another state, for an operator; an invalid key stays where it is and is reported."""
        if id not in self._directories[source]:
            # The caller may have seen a key stored by another master, of which this master learns a moment
            # later.
            self.files.refresh(id)
        pem = self.files.text(source, id)
        if pem is None:
            return
        problem = _problem(pem)
        if problem:
            log.error("%s: the %s key is invalid (%s) and was left unchanged", id, ACTS[source], problem)
            self._on_change(KeyChange(id, ACTS[state], result=False))
            return
        known = KeyState(ACCEPTED, "") if id in self._directories[ACCEPTED] else None
        others = [self.files.text(other, id) for other in LOOK_UP if other != source]
        self._directories[source].move(id, self._directories[state])
        revokes = self._leave_others(id, state, known)
        replaces = any(other not in (None, pem) for other in others)
        log.info("%s: key %s, it was %s", id, ACTS[state], ACTS[source])
        self._on_change(
            KeyChange(id, ACTS[state], revokes=revokes, pem=pem, rotates=rotates, replaces=replaces)
        )

    def remove(self, id: str, state: str, *, keeps_data: bool, rotates: bool) -> None:
        """Remove a key, for an operator; see `KeyChange` for the options."""
        if id not in self._directories[state]:
            self.files.refresh(id)
        if self._directories[state].remove(id):
            log.info("%s: key deleted, it was %s", id, ACTS[state])
            revokes = state == ACCEPTED
            self._on_change(KeyChange(id, "delete", revokes, keeps_data=keeps_data, rotates=rotates))

    def accept_generated(self, id: str, pem: str, known: KeyState | None) -> None:
        """Accept a key created here for a future minion, replacing the key on file (`known`)."""
        changed = known is None or known.pem != clean_pem(pem)
        self._directories[ACCEPTED].write(id, pem)
        gone = self._leave_others(id, ACCEPTED, None)
        revokes = changed and known is not None and (known.state == ACCEPTED or gone)
        log.info("%s: key accepted, it was generated here", id)
        self._on_change(KeyChange(id, ACTS[ACCEPTED], revokes=revokes, pem=clean_pem(pem)))

    def _leave_others(self, id: str, state: str, known: KeyState | None) -> bool:
        """Remove an id's keys in other states; return whether an accepted key was removed."""
        gone = [other for other in LOOK_UP if other != state and self._directories[other].remove(id)]
        return ACCEPTED in gone or (known is not None and known.state == ACCEPTED)


def _problem(pem: str) -> str:
    """Return why PEM text is not a usable public key, or '' when it is one."""
    # Imported lazily: listing keys needs no cryptography, which takes 25 ms to load.
    from salt_g.wire.rsa import PublicKey

    try:
        PublicKey(pem)
    except WireError as exc:
        return str(exc)
    return ""
