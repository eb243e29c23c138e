"""Admission decision for an offered key.

It is a pure function, because no other decision of a master has greater consequences; `store.py` applies it
to the files, like the decisions of operators.
Shapes: PEM texts; states are the names of stock's directories.
Source: wire specification, section 5.5.
"""

from __future__ import annotations

import dataclasses

from salt_g.wire.ids import is_valid_id, misread
from salt_g.wire.pem import clean_pem

ACCEPTED = "minions"
PENDING = "minions_pre"
REJECTED = "minions_rejected"
DENIED = "minions_denied"
#: All states, in the order in which stock lists them.
STATES = (PENDING, REJECTED, ACCEPTED, DENIED)


@dataclasses.dataclass(frozen=True)
class KeyState:
    """Key on file for an id; `pem` is cleaned, and '' if the file has no valid key text."""

    state: str
    pem: str


@dataclasses.dataclass(frozen=True)
class AdmissionRules:
    """Rules for one id from settings and lists; a rule's text is its reason, '' if it does not apply.

    `full` is set when `max_minions` are connected and this id is not among them. `invited` is set for a key
    that has proven an invitation, and lets it also replace another pending key.
    """

    open_mode: bool = False
    accept: str = ""
    reject: str = ""
    full: str = ""
    invited: str = ""


@dataclasses.dataclass(frozen=True)
class AdmissionVerdict:
    """Decision about an offered key.

    `act` is the word in the `salt/auth` event: accept, pend, reject, denied, full, error. `keep` is the state
    in which the offered key is stored, '' to leave the files unchanged. `invitation` is the number of the
    invitation that admitted the key now.
    """

    act: str
    reason: str
    keep: str = ""
    invitation: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the minion is admitted."""
        return self.act == "accept"

    @property
    def answer(self) -> bool | str:
        """Answer to a refused minion; True asks the minion to retry."""
        return "full" if self.act == "full" else self.act == "pend"


def decide(id: str, key: str, known: KeyState | None, rules: AdmissionRules) -> AdmissionVerdict:
    """Return the verdict on `key` (PEM) offered for `id`."""
    if not is_valid_id(id):
        return AdmissionVerdict("error", "the id is not valid")
    is_settled = known is not None and known.state in (ACCEPTED, REJECTED)
    if not is_settled and (why := misread(id)):
        return AdmissionVerdict("error", f"targets would misread the id: {why}")
    if not key:
        return AdmissionVerdict("error", "no key is offered")
    if rules.full:
        return AdmissionVerdict("full", rules.full)
    is_same = known is not None and bool(known.pem) and clean_pem(key) == known.pem
    if rules.open_mode:
        same_as_ever = is_same and known is not None and known.state == ACCEPTED
        return AdmissionVerdict("accept", "open_mode accepts every key", "" if same_as_ever else ACCEPTED)
    if known is None:
        return _decide_new(rules)
    if known.state == REJECTED:
        return AdmissionVerdict("reject", "the key is rejected")
    if known.state == ACCEPTED:
        if is_same:
            return AdmissionVerdict("accept", "the key is accepted")
        return AdmissionVerdict("denied", "another key is accepted for this id", DENIED)
    return _decide_pending(is_same, rules)


def _decide_new(rules: AdmissionRules) -> AdmissionVerdict:
    if rules.reject:
        return AdmissionVerdict("reject", rules.reject, REJECTED)
    if reason := rules.accept or rules.invited:
        return AdmissionVerdict("accept", reason, ACCEPTED)
    return AdmissionVerdict("pend", "the key is new and waits to be accepted", PENDING)


def _decide_pending(is_same: bool, rules: AdmissionRules) -> AdmissionVerdict:
    if rules.reject:
        return AdmissionVerdict("reject", rules.reject, REJECTED)
    if rules.invited:
        # Another pending key does not matter, because anyone may have offered it.
        return AdmissionVerdict("accept", rules.invited, ACCEPTED)
    if not is_same:
        return AdmissionVerdict("denied", "another key waits to be accepted for this id", DENIED)
    if rules.accept:
        return AdmissionVerdict("accept", rules.accept, ACCEPTED)
    return AdmissionVerdict("pend", "the key waits to be accepted")
