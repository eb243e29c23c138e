"""Commits of a clone as the rule of verified refs asks for them.

`VERIFIED` holds a ref for each served commit, so that a fetch which moves or prunes branches does not let git
remove what is served.
Errors: FileServerError of the function that runs git.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from salt_g.process.command import Finished

#: Prefix of the refs of served commits; their names are the commits.
VERIFIED = "refs/verified/"


class FetchedRef(NamedTuple):
    """Branch or tag as fetched: the object it names, its commit, and the name in an annotated tag.

    Without `is_commit` it leads to something else, or to a tag of a tag.
    """

    object: str
    commit: str
    tag: str = ""
    is_commit: bool = True


class Git(Protocol):
    """A way to run git on the clone, whatever its exit code."""

    def __call__(self, *words: str, stdin: bytes | None = None) -> Finished:
        """Run git with these words."""


class CloneHistory:
    """Commits of a clone."""

    def __init__(self, git: Git) -> None:
        self._git = git

    def pinned(self) -> set[str]:
        """Return the commits that are kept."""
        done = self._git("for-each-ref", "--format=%(objectname)", VERIFIED)
        return set(done.out.split()) if done.retcode == 0 else set()

    def pin(self, commits: set[str]) -> None:
        """Keep exactly these commits, as far as the clone has them."""
        before = self.pinned()
        orders = [f"create {VERIFIED}{commit} {commit}\n" for commit in self._present(commits - before)]
        orders += [f"delete {VERIFIED}{commit}\n" for commit in sorted(before - commits)]
        if orders:
            self._git("update-ref", "--stdin", stdin="".join(orders).encode())

    def descends(self, commit: str, earlier: str) -> bool:
        """Return whether a commit has another one in its history, or is it."""
        return self._git("merge-base", "--is-ancestor", earlier, commit).retcode == 0

    def _present(self, commits: set[str]) -> list[str]:
        names = "".join(f"{commit}\n" for commit in sorted(commits))
        if not names:
            return []
        done = self._git("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names.encode())
        found = (line.split() for line in done.out.splitlines())
        return [words[0] for words in found if len(words) == 2 and words[1] == "commit"]
