"""Key store of a master: offered keys, queries and commands of operators.

`admission.py` decides on offers, and `acceptance.py` changes the keys and reports each change.
Shapes: listings and results are as in stock: {state: [id, ...]}, {state: {id: text}}.
Errors: KeysError; OSError if the disk fails.
"""

from __future__ import annotations

import dataclasses
import functools
import logging
import os
import pwd
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g import safe_files
from salt_g.errors import KeysError, KeysUnavailable
from salt_g.keys import listing
from salt_g.keys.acceptance import ACTS, LIMITS, Acceptance, KeyChange, ignore
from salt_g.keys.admission import (
    ACCEPTED,
    DENIED,
    PENDING,
    REJECTED,
    STATES,
    AdmissionRules,
    AdmissionVerdict,
    KeyState,
    decide,
)
from salt_g.keys.files import KeyFiles
from salt_g.keys.invitations import Invitations
from salt_g.keys.listing import Listing
from salt_g.keys.policy import Policy
from salt_g.wire.invitation import GRAIN, InvitationOffer, read_offer
from salt_g.wire.pem import fingerprint

log = logging.getLogger(__name__)


class KeyStore:
    """Store of the keys in `files`, which reports each change to `on_change`."""

    def __init__(
        self,
        files: KeyFiles,
        *,
        on_change: Callable[[KeyChange], None] = ignore,
        settle: Callable[[], None] = lambda: None,
        invitations: Invitations | None = None,
        limits: Mapping[str, int] = LIMITS,
    ) -> None:
        """Initialize; `settle` is called at the end of each command of an operator that changed keys."""
        self._settle = settle
        self.files = files
        self.pki_dir = files.pki_dir
        self.invitations = invitations or Invitations(files.pki_dir, write=files.write)
        self._acceptance = Acceptance(files, on_change=on_change, limits=limits)
        self._directories = files.directories

    def accepted(self) -> frozenset[str]:
        """Return the ids of accepted keys."""
        return self.files.accepted()

    def find(self, id: str) -> KeyState | None:
        """Return the key on file for an id, see `KeyFiles.find`."""
        return self.files.find(id)

    def admit(
        self, id: str, pem: str, policy: Policy, *, grains: Mapping[str, Any] | None = None, full: str = ""
    ) -> AdmissionVerdict:
        """Decide on a key offered by a minion, and store it according to the verdict.

        `grains` are the minion's `autosign_grains`; `full` is the reason why no further minion is admitted.
        Raises WireError for an invalid id.
        """
        known = self.find(id)
        is_open = known is None or known.state == PENDING
        rules = policy.rules(id, grains or {}, full=full) if is_open else policy.rules_for_known(full=full)
        verdict = decide(id, pem, known, rules)
        offer = read_offer((grains or {}).get(GRAIN))
        if offer and is_open and not verdict.is_accepted:
            verdict = self._redeem(offer, id, pem, known, rules, verdict)
        if verdict.keep:
            verdict = self._acceptance.keep_offer(id, pem, known, verdict)
        if verdict.is_accepted and is_open:
            policy.use_up(id)
        return verdict

    # Queries of operators, with stock's results.

    def list_keys(self) -> Listing:
        """Return the ids of each state, in stock's order."""
        return {state: listing.in_order(self._directories[state].names()) for state in STATES}

    def local_keys(self) -> Listing:
        """Return the names of the master's own key files."""
        try:
            names = [name for name in os.listdir(self.pki_dir) if name.endswith((".pub", ".pem"))]
        except FileNotFoundError:
            names = []
        return {"local": listing.in_order(names)}

    def all_keys(self) -> Listing:
        """Return the ids of each state and the master's own files."""
        return {**self.list_keys(), **self.local_keys()}

    def list_status(self, status: str) -> Listing:
        """Return the keys that a word of `key -l` selects."""
        return listing.of_status(self.all_keys(), status)

    def glob_match(self, match: str | Sequence[str], *, full: bool = False) -> Listing:
        """Return the keys that match globs; `full` includes the master's own files."""
        return listing.choose(self.all_keys() if full else self.list_keys(), match)

    def list_match(self, names: str | Sequence[str]) -> Listing:
        """Return the keys with exactly these ids."""
        return listing.choose_exact(self.list_keys(), names)

    def key_str(self, match: str | Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the matching keys as {state: {id: PEM text}}."""
        return self._formatted(match, lambda pem: pem + "\n")

    def finger(
        self, match: str | Sequence[str], hash_type: str = "sha256", *, full: bool = False
    ) -> dict[str, dict[str, str]]:
        """Return fingerprints as {state: {id: fingerprint}}, the same as from `key.finger` on the minion.

        `full` includes the master's own files, as state `local`.
        """
        say = functools.partial(fingerprint, hash_type=hash_type)
        fingers = self._formatted(match, say)
        local = listing.choose(self.local_keys(), match).get("local") if full else None
        if local:
            fingers["local"] = {name: say(self._local_text(name)) for name in local}
        return fingers

    def why_denied(self, id: str) -> str:
        """Return the reason why the key of an id was denied, or '' if it has no denied key."""
        denied, known = self._directories[DENIED].read(id), self.find(id)
        if denied is None:
            return ""
        if known is None:
            return "another key was on file when it was offered, and is gone"
        if known.pem == denied:
            return f"it was offered while another key was on file; now it is {ACTS[known.state]} itself"
        on_file = fingerprint(known.pem) if known.pem else "unreadable"
        return f"another key of this id is {ACTS[known.state]}: {on_file}"

    # Commands of operators. All return the keys that match afterwards.

    def accept(
        self, match: str | Listing, *, include_rejected: bool = False, include_denied: bool = False
    ) -> Listing:
        """Accept pending keys, and rejected or denied ones if requested."""
        more = (REJECTED,) * include_rejected + (DENIED,) * include_denied
        return self._change(match, (PENDING, *more), ACCEPTED)

    def reject(
        self,
        match: str | Listing,
        *,
        include_accepted: bool = False,
        include_denied: bool = False,
        rotates: bool = True,
    ) -> Listing:
        """Reject pending keys, and accepted or denied ones if requested."""
        more = (DENIED,) * include_denied + (ACCEPTED,) * include_accepted
        return self._change(match, (PENDING, *more), REJECTED, rotates=rotates)

    def delete(self, match: str | Listing, *, keeps_data: bool = False, rotates: bool = True) -> Listing:
        """Delete keys, whatever their state; see `KeyChange` for the two options."""
        chosen = self._chosen(match)
        for state, ids in chosen.items():
            for id in ids if state in self._directories else ():
                self._acceptance.remove(id, state, keeps_data=keeps_data, rotates=rotates)
        return self._current(match, chosen)

    def delete_denied(self) -> Listing:
        """Delete all denied keys and return the remaining ones."""
        self.delete({DENIED: list(self._directories[DENIED].names())})
        return self.list_keys()

    def preseed(self, id: str, pem: str) -> None:
        """Accept a key created here for a future minion, replacing any key on file."""
        self._acceptance.accept_generated(id, pem, self.find(id))

    # Key pairs of our own.

    def gen_keys(
        self, directory: str, name: str, *, bits: int, hash_type: str = "sha256", user: str | None = None
    ) -> str:
        """Create a key pair unless it exists; return the fingerprint of its public key."""
        # Imported lazily, like all cryptography here.
        from salt_g.keys import pair

        finger = pair.gen_keys(directory, name, bits=bits, hash_type=hash_type)
        if user:
            for ending in (".pem", ".pub"):
                path = os.path.join(directory, name + ending)
                safe_files.change_owner(path, pwd.getpwnam(user).pw_uid, -1, follow=False)
        return finger

    def gen_signature(self, opts: Mapping[str, Any], **options: Any) -> bool | str:
        """Sign the master's public key, see `signature.gen_signature`."""
        from salt_g.keys import signature

        return signature.gen_signature(opts, **options)

    def _formatted(self, match: str | Sequence[str], say: Callable[[str], str]) -> dict[str, dict[str, str]]:
        chosen = self.glob_match(match)
        texts = {state: {id: self.files.text(state, id) for id in ids} for state, ids in chosen.items()}
        return {state: {id: say(pem) for id, pem in found.items() if pem} for state, found in texts.items()}

    def _redeem(
        self,
        offer: InvitationOffer,
        id: str,
        pem: str,
        known: KeyState | None,
        rules: AdmissionRules,
        verdict: AdmissionVerdict,
    ) -> AdmissionVerdict:
        """Redeem an invitation and return the new verdict, or `verdict` if it does not admit the key."""
        rules = dataclasses.replace(rules, invited=f"invitation {offer.number} admits it")
        invited = decide(id, pem, known, rules)
        try:
            if not invited.is_accepted or self.invitations.redeem(offer, id, pem):
                return verdict
        except OSError as exc:
            raise KeysUnavailable(self.invitations.path, exc) from exc
        except KeysError as exc:
            log.error("%s: invitation %s cannot be used: %s", id, offer.number, exc)
            return verdict
        return dataclasses.replace(invited, invitation=offer.number)

    def _local_text(self, name: str) -> str:
        with open(os.path.join(self.pki_dir, name), encoding="ascii", errors="replace") as file:
            return file.read()

    def _change(
        self, match: str | Listing, sources: tuple[str, ...], state: str, *, rotates: bool = True
    ) -> Listing:
        chosen = self._chosen(match)
        for source in sources:
            for id in chosen.get(source, ()):
                if source != state:
                    self._acceptance.move(id, source, state, rotates=rotates)
        return self._current(match, chosen)

    def _chosen(self, match: str | Listing) -> Listing:
        return match if isinstance(match, dict) else self.glob_match(match)

    def _current(self, match: str | Listing, chosen: Listing) -> Listing:
        """Return the matching keys (of a listing: the keys of its ids) once the changes are effective."""
        if isinstance(match, dict):
            found = self.list_match(listing.in_order({id for ids in chosen.values() for id in ids}))
        else:
            found = self.glob_match(match)
        # Read before the wait: while other masters are waited for, a deleted minion may offer its key again.
        self._settle()
        return found
