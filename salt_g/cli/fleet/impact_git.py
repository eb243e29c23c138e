"""Files of a git repository that differ between two commits, as names of `salt-g impact`."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from salt_g.errors import CommandExecutionError

#: How long git may take (s), and how many files one question may have.
TIMEOUT, MOST = 60, 5_000


class GitRange(NamedTuple):
    """Two commits as hex digits, the branch or tag of the second ('' without), and the paths that differ."""

    before: str
    after: str
    branch: str
    paths: list[str]


def differing(folder: str, span: str) -> GitRange:
    """Return the paths that differ in `A..B`, or between HEAD and `B`; raise CommandExecutionError."""
    first, dots, last = span.partition("..")
    if first.startswith("-") or last.startswith(("-", ".")):
        raise CommandExecutionError(f"--git {span!r} is not two commits: write main..HEAD")
    before, after = (first or "HEAD", last or "HEAD") if dots else ("HEAD", span)
    commits = [_commit(folder, name) for name in (before, after)]
    # What was renamed is gone in one place and new in the other.
    listed = _git(folder, "diff", "--name-only", "--no-renames", "-z", *commits)
    paths = [path for path in listed.split("\0") if path]
    if len(paths) > MOST:
        raise CommandExecutionError(f"{len(paths):,} files differ in {span}; ask about at most {MOST:,}")
    return GitRange(commits[0], commits[1], _branch(folder, after), paths)


def names(found: GitRange, root: str) -> list[str]:
    """Return the URLs of the files below `root`, the folder that the file server serves."""
    top = f"{root.strip('/')}/" if root.strip("/") else ""
    return [f"salt://{path[len(top) :]}" for path in found.paths if path.startswith(top)]


def _commit(folder: str, name: str) -> str:
    return _git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()


def _branch(folder: str, name: str) -> str:
    """Return the branch or tag that a name stands for: that of HEAD, '' for a commit's digits."""
    full = _git(folder, "rev-parse", "--symbolic-full-name", name).strip()
    for kind in ("refs/heads/", "refs/tags/"):
        if full.startswith(kind):
            return full[len(kind) :]
    return full.split("/", 3)[-1] if full.startswith("refs/remotes/") else ""


def _git(folder: str, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words], capture_output=True, timeout=TIMEOUT, check=False
        )
    except FileNotFoundError as exc:
        raise CommandExecutionError("--git needs the program git") from exc
    except subprocess.TimeoutExpired as exc:
        raise CommandExecutionError(f"git {words[0]} took more than {TIMEOUT} s in {folder}") from exc
    if done.returncode:
        problem = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        reason = problem[0] if problem else f"there is no commit {words[-1].removesuffix('^{commit}')!r}"
        raise CommandExecutionError(f"git in {folder}: {reason}")
    return done.stdout.decode(errors="replace")
