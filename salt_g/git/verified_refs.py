"""Branches and tags that advance only to commits signed by a signer.

After a fetch, `advance` decides about each branch and tag, and only its decisions determine which commits are
served. A ref advances to a commit that is signed and descends from the served one. If the new commit is not
such a commit, or the ref vanishes, the served commit stays, so that a server cannot replay an old state. An
annotated tag can be signed instead of its commit, if the tag object contains the name of the tag.
Shapes: names are `branch/<name>` and `tag/<name>`. The record is a private JSON file beside the clone, so
that it survives the removal of the clone; each list of signers' files has a separate record.
Units: seconds. Errors: FileServerError for a record that cannot be read.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from salt_g.errors import FileServerError
from salt_g.git.history import FetchedRef
from salt_g.git.signatures import problem_of
from salt_g.git.signers import SignerKeys, SignersError, read_keys
from salt_g.git.verify_rules import VerifyRules
from salt_g.process.disk import write_whole

log = logging.getLogger(__name__)

#: Time limit for the signature checks of one update (s); the next update continues.
BUDGET = 300.0
#: Maximum number of recorded refs per repository, and of remembered verdicts.
MOST_REFS = 10_000
MOST_VERDICTS = 20_000

#: Name in refusals that stands for all refs of a repository.
SIGNERS = "signers"

_LATER = "it is not checked yet: the checks of this update took too long"
_VANISHED = "the repository no longer has it"
_NO_DESCENDANT = "it does not descend from the served commit: the history was rolled back or rewritten"


class RefusedRef(NamedTuple):
    """Branch or tag that is not served as fetched; `commit` is '' if it vanished from the repository.

    The ref SIGNERS stands for all refs, if the signers' files or the record cannot be used.
    """

    remote: str
    ref: str
    commit: str
    served: str
    reason: str

    @property
    def may_be_released(self) -> bool:
        """Whether the ref is refused because of its history, not because of a signature."""
        return self.reason in (_VANISHED, _NO_DESCENDANT)

    def __str__(self) -> str:
        if self.ref == SIGNERS:
            return f"{self.reason}; nothing of {self.remote} advances"
        kind, _, name = self.ref.partition("/")
        what = f"{kind} {name} of {self.remote}"
        stays = f"{self.served[:12]} stays served" if self.served else "nothing of it is served"
        newest = f"commit {self.commit} is refused" if self.commit else "its removal is refused"
        return f"{what}: {newest}: {self.reason}; {stays}"


class CommitHistory(Protocol):
    """Commits of a clone; implemented by `CloneHistory`."""

    def pinned(self) -> set[str]:
        """Return the pinned commits, which git does not remove."""

    def descends(self, commit: str, earlier: str) -> bool:
        """Return whether `earlier` is `commit` or one of its ancestors."""

    def pin(self, commits: set[str]) -> None:
        """Pin exactly these commits, except those that the clone does not have."""


class VerifiedRefs:
    """Served commits of one repository."""

    def __init__(self, remote: str, rules: VerifyRules, directory: str, history: CommitHistory) -> None:
        self._remote = remote
        self._rules = rules
        self._git_dir = os.path.join(directory, "repository.git")
        self._history = history
        digest = sha256("\n".join(rules.signers).encode()).hexdigest()[:16]
        # Stored next to the clone, so that forcing a new clone does not make us forget the served commits.
        self._record = f"{directory}.verified-{digest}"
        self._keys_directory = os.path.join(directory, "signers")
        self._verdicts: dict[tuple[str, str], str] = {}
        self._logged: set[tuple[str, str]] = set()

    # Queries

    def served(self) -> dict[str, str]:
        """Return {name: commit} of the refs to serve, except commits that the clone does not have."""
        try:
            served: Mapping[str, str] = self._read()["served"]
        except FileServerError as exc:
            self._log_once("record", str(exc), str(exc))
            return {}
        present = self._history.pinned() if served else set()
        return {name: commit for name, commit in served.items() if commit in present}

    def refused(self) -> list[RefusedRef]:
        """Return the refs that are not served as fetched."""
        problem = self.problem()
        if problem:
            return [RefusedRef(self._remote, SIGNERS, "", "", problem)]
        found = self._read()
        return [
            RefusedRef(self._remote, ref, entry["commit"], found["served"].get(ref, ""), entry["reason"])
            for ref, entry in found["refused"].items()
        ]

    def problem(self) -> str:
        """Return why no ref can advance at present, or '' if the signers' files and the record are usable."""
        try:
            self._read()
        except FileServerError as exc:
            return str(exc)
        try:
            read_keys(self._rules.signers, self._keys_directory)
        except (SignersError, OSError) as exc:
            return f"{self._rules.where()}: {exc}"
        return ""

    def is_signed(self, commit: str) -> bool:
        """Return whether a commit, requested by its hash, is signed by a signer; log why if it is not."""
        try:
            keys = read_keys(self._rules.signers, self._keys_directory)
            reason = self._verdict("commit", commit, keys)
        except (FileServerError, OSError) as exc:
            reason = str(exc)
        if reason:
            self._log_once("sha", commit, f"{self._remote}: commit {commit} is refused: {reason}")
        return not reason

    def stamp(self) -> float:
        """Return the time of the last decision, or minus infinity before the first."""
        try:
            return os.stat(self._record).st_mtime
        except FileNotFoundError:
            return float("-inf")

    # Decisions

    def advance(self, fetched: Mapping[str, FetchedRef], is_wanted: Callable[[str], bool]) -> None:
        """Decide about each wanted ref, and record the commits to serve from now on."""
        found = self._read()
        served: dict[str, str] = dict(found["served"])
        try:
            keys = read_keys(self._rules.signers, self._keys_directory)
        except (SignersError, OSError) as exc:
            self._log_once(
                "signers", str(exc), f"{self._rules.where()}: {exc}; nothing of {self._remote} advances"
            )
            return
        deadline = time.monotonic() + BUDGET
        released = set(found["released"])
        refused: dict[str, str] = {}
        for name in filter(is_wanted, sorted({*fetched, *served})):
            ref = fetched.get(name)
            may_go_back = name in released or self._rules.may_go_back(_short(name))
            reason = self._refusal(ref, name, served.get(name, ""), keys, deadline, may_go_back=may_go_back)
            if reason:
                refused[name] = reason
                continue
            released.discard(name)
            if ref is None:
                del served[name]
            else:
                served[name] = ref.commit
        self._keep(served, refused, released, fetched)

    def release(self, name: str) -> bool:
        """Allow a ref to move once to any signed commit, or to vanish; return False if it is not served."""
        found = self._read()
        if name not in found["served"]:
            return False
        self._write({**found, "released": sorted({*found["released"], name})})
        return True

    def _refusal(
        self,
        ref: FetchedRef | None,
        name: str,
        served: str,
        keys: SignerKeys,
        deadline: float,
        *,
        may_go_back: bool,
    ) -> str:
        """Return why the fetched state of a ref is refused, or '' if it is accepted."""
        if ref is None:
            return "" if may_go_back else _VANISHED
        if not ref.is_commit:
            return "it names no commit"
        if time.monotonic() > deadline:
            return _LATER
        try:
            reason = self._signature_problem(name, ref, keys)
        except FileServerError as exc:
            return str(exc)
        if reason or not served or ref.commit == served:
            return reason
        is_allowed = may_go_back or self._history.descends(ref.commit, served)
        return "" if is_allowed else _NO_DESCENDANT

    def _signature_problem(self, name: str, ref: FetchedRef, keys: SignerKeys) -> str:
        if ref.tag and name == f"tag/{ref.tag}" and not self._verdict("tag", ref.object, keys):
            return ""
        reason = self._verdict("commit", ref.commit, keys)
        if reason and ref.tag and name != f"tag/{ref.tag}":
            return f"{reason}, and its tag object names the tag {ref.tag[:100]!r}"
        return reason

    def _verdict(self, kind: str, sha: str, keys: SignerKeys) -> str:
        """Return why an object is not signed, or '' if it is; cached for the object and these keys."""
        key = (sha, keys.digest)
        reason = self._verdicts.get(key)
        if reason is None:
            reason = problem_of(kind, sha, self._git_dir, keys)
            if len(self._verdicts) >= MOST_VERDICTS:
                self._verdicts.clear()
            self._verdicts[key] = reason
        return reason

    # The record

    def _keep(
        self,
        served: dict[str, str],
        refused: dict[str, str],
        released: set[str],
        fetched: Mapping[str, FetchedRef],
    ) -> None:
        for name in list(served)[MOST_REFS:]:
            del served[name]
            refused[name] = f"the repository has more than {MOST_REFS} branches and tags"
        entries = {}
        for name, reason in list(refused.items())[:MOST_REFS]:
            commit = fetched[name].commit if name in fetched else ""
            entries[name] = {"commit": commit, "reason": reason}
            refusal = RefusedRef(self._remote, name, commit, served.get(name, ""), reason)
            self._log_once(name, f"{commit} {reason}", str(refusal))
        # Pin first, so that the recorded commits exist even after a crash between the two steps.
        self._history.pin({*served.values(), *self._read()["served"].values()})
        self._write({"served": served, "refused": entries, "released": sorted(released & set(served))})

    def _read(self) -> dict[str, Any]:
        try:
            with open(self._record, encoding="utf-8") as file:
                found = json.load(file)
            return {
                "served": _texts(found["served"]),
                "refused": dict(found["refused"]),
                "released": list(map(str, found.get("released", ()))),
            }
        except FileNotFoundError:
            return {"served": {}, "refused": {}, "released": []}
        except (ValueError, KeyError, TypeError) as exc:
            raise FileServerError(
                f"{self._remote}: the record of verified commits is damaged: {exc}; nothing is served. "
                f"Compare the repository by hand, then start over with: rm {self._record}"
            ) from exc

    def _write(self, found: Mapping[str, Any]) -> None:
        write_whole(self._record, json.dumps(found, indent=1, sort_keys=True))

    def _log_once(self, name: str, commit: str, text: str) -> None:
        if (name, commit) not in self._logged:
            if len(self._logged) >= MOST_REFS:
                self._logged.clear()
            self._logged.add((name, commit))
            log.error("%s", text)


def _short(name: str) -> str:
    """Return the name of a branch or tag without its kind."""
    return name.partition("/")[2]


def _texts(value: Mapping[str, Any]) -> dict[str, str]:
    if not all(isinstance(item, str) for item in value.values()):
        raise ValueError("a commit is not text")
    return dict(value)
