"""Wanted revision on the remote repository."""

from __future__ import annotations

import dataclasses
import string

from salt_g.states.git._report import short


@dataclasses.dataclass(frozen=True)
class Wanted:
    """Wanted revision, resolved on the remote.

    `sha1` and `kind` (`branch`, `tag` or `sha1`) are None if the remote has no such revision, or the clone is
    bare; `upstream` is the name of the upstream branch, None if it does not matter (HEAD), False if there is
    none.
    """

    rev: str
    sha1: str | None
    kind: str | None
    upstream: str | bool | None
    default_branch: str | None

    @property
    def place(self) -> str | None:
        """Description for comments."""
        if self.sha1 is None:
            return None
        if self.kind != "sha1":
            return f"{self.upstream if self.kind == 'branch' else self.rev} ({short(self.sha1)})"
        return f"remote HEAD ({short(self.sha1)})" if self.rev == "HEAD" else short(self.sha1)

    def is_at(self, sha1: str | None) -> bool:
        """Return whether a commit is the wanted one; a wanted SHA1 may be abbreviated."""
        if sha1 is None or self.sha1 is None:
            return sha1 is self.sha1
        return sha1.startswith(self.sha1) if self.kind == "sha1" else sha1 == self.sha1


def find(rev: str, refs: dict[str, str], remote: str, *, is_bare: bool) -> Wanted:
    """Resolve a revision on the remote."""
    default = _default_branch(refs)
    if is_bare:
        return Wanted(rev, None, None, False, default)
    if rev == "HEAD":
        head = refs.get("HEAD")
        return Wanted(rev, head, "sha1" if head else None, None if head else False, default)
    if f"refs/heads/{rev}" in refs:
        return Wanted(rev, refs[f"refs/heads/{rev}"], "branch", f"{remote}/{rev}", default)
    tag = refs.get(f"refs/tags/{rev}^{{}}", refs.get(f"refs/tags/{rev}"))
    if tag:
        return Wanted(rev, tag, "tag", False, default)
    if len(rev) <= 40 and all(character in string.hexdigits for character in rev):
        return Wanted(rev.lower(), rev.lower(), "sha1", False, default)
    return Wanted(rev, None, None, False, default)


def _default_branch(refs: dict[str, str]) -> str | None:
    heads = (ref for ref, sha1 in refs.items() if ref.startswith("refs/heads/") and sha1 == refs.get("HEAD"))
    found = next(heads, None)
    return found.removeprefix("refs/heads/") if found else None
