"""Commit history of a clone: ancestors of commits, and refs that protect served commits.

Each served commit has a ref below `VERIFIED`, so that git does not remove the commit after a fetch that moves
or prunes its branch.
Errors: FileServerError from the function that runs git.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from salt_g.process.command import Finished

#: Prefix of the refs that keep served commits; the rest of a ref's name is the commit.
VERIFIED = "refs/verified/"


class FetchedRef(NamedTuple):
    """Fetched branch or tag: the object that it points to, its commit, and the name in an annotated tag.

    `is_commit` is False for a ref that points to another kind of object, or to a tag of a tag.
    """

    object: str
    commit: str
    tag: str = ""
    is_commit: bool = True


class Git(Protocol):
    """Function that runs git on the clone and returns the result, whatever the exit code."""

    def __call__(self, *words: str, stdin: bytes | None = None) -> Finished:
        """Run git with these arguments."""


class CloneHistory:
    """Commits of a clone, read and pinned with git."""

    def __init__(self, git: Git) -> None:
        self._git = git

    def pinned(self) -> set[str]:
        """Return the pinned commits, which git does not remove."""
        done = self._git("for-each-ref", "--format=%(objectname)", VERIFIED)
        return set(done.out.split()) if done.retcode == 0 else set()

    def pin(self, commits: set[str]) -> None:
        """Pin exactly these commits, except those that the clone does not have."""
        before = self.pinned()
        orders = [f"create {VERIFIED}{commit} {commit}\n" for commit in self._present(commits - before)]
        orders += [f"delete {VERIFIED}{commit}\n" for commit in sorted(before - commits)]
        if orders:
            self._git("update-ref", "--stdin", stdin="".join(orders).encode())

    def descends(self, commit: str, earlier: str) -> bool:
        """Return whether `earlier` is `commit` or one of its ancestors."""
        return self._git("merge-base", "--is-ancestor", earlier, commit).retcode == 0

    def _present(self, commits: set[str]) -> list[str]:
        names = "".join(f"{commit}\n" for commit in sorted(commits))
        if not names:
            return []
        done = self._git("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names.encode())
        found = (line.split() for line in done.out.splitlines())
        return [words[0] for words in found if len(words) == 2 and words[1] == "commit"]
