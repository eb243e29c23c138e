"""Files of a git repository that differ between two commits, as `salt://` names for `salt-g impact`."""

from __future__ import annotations

import posixpath
import subprocess
from collections.abc import Iterable
from typing import NamedTuple

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.formats import salturl

#: Timeout of a git command (s), and maximum number of changed files.
TIMEOUT, MOST = 60, 5_000
#: Maximum number of folders named in an error.
_NAMED = 5


class GitRange(NamedTuple):
    """Two commits as hex digits, the branch or tag of the second ('' if none), and the paths that differ."""

    before: str
    after: str
    branch: str
    paths: list[str]


def differing(folder: str, span: str) -> GitRange:
    """Return the commits of `A..B`, or of HEAD and `B`, and the paths that differ between them.

    Raise InvocationError for malformed names, or for a `B` that is HEAD itself; CommandExecutionError if git
    fails or more than MOST files differ.
    """
    first, dots, last = span.partition("..")
    if not first + last or first.startswith("-") or last.startswith(("-", ".")):
        raise InvocationError(f"--git {span!r} does not name two commits: write, for example, main..HEAD")
    before, after = (first or "HEAD", last or "HEAD") if dots else ("HEAD", span)
    commits = [_commit(folder, name) for name in (before, after)]
    if not dots and commits[0] == commits[1]:
        raise InvocationError(f"--git {span!r} compares HEAD with itself: write, for example, main..HEAD")
    # A rename counts as one removed and one added file.
    listed = _git(folder, "diff", "--name-only", "--no-renames", "-z", *commits)
    paths = [path for path in listed.split("\0") if path]
    if len(paths) > MOST:
        raise CommandExecutionError(f"{len(paths):,} files differ in {span}; ask about at most {MOST:,}")
    return GitRange(commits[0], commits[1], _branch(folder, after), paths)


def names(found: GitRange, root: str) -> list[str]:
    """Return the `salt://` URLs of the files that differ below `root`, the folder that is served."""
    folder = _normal(root)
    top = f"{folder}/" if folder else ""
    return [salturl.create(path[len(top) :]) for path in found.paths if path.startswith(top)]


def check_root(folder: str, found: GitRange, root: str) -> None:
    """Raise InvocationError if neither commit has the folder `root`, as no file in it could differ."""
    wanted = _normal(root)
    if not wanted or any(_folders(folder, commit, wanted) for commit in (found.before, found.after)):
        return
    known = _folders(folder, found.after)
    named = ", ".join(known[:_NAMED]) + (", …" if len(known) > _NAMED else "")
    raise InvocationError(
        f"--root {root!r} is a folder in neither commit: name the folder that the file server serves, by"
        f" its path from the top of the repository; folders there: {named or 'none'}"
    )


def without_root(folder: str, found: GitRange, read: Iterable[str], top: str) -> str:
    """Return a warning if the state tree seems to be in a subfolder, so that `--root` is needed; else ''.

    `read` holds the names that minions have read, `top` is the name of the tree's top file.
    """
    if not found.paths or any(name.startswith("salt://") and name != "salt://" for name in read):
        return ""
    listed = _git(folder, "ls-tree", "-r", "-z", "--full-tree", "--name-only", found.after)
    paths = [posixpath.split(path) for path in listed.split("\0")]
    if any(not parent and file.endswith(".sls") for parent, file in paths):
        return ""
    tops = sorted(parent for parent, file in paths if file == top)
    place = f"{top} is in {', '.join(tops[:_NAMED])}" if tops else "there is no SLS at the top"
    first = names(found, "")[0]
    return (
        f"the changed files were looked up by their paths in the repository ({first}), but no run has"
        f" read them; {place}: name the folder that the file server serves with --root"
    )


def _folders(folder: str, commit: str, *paths: str) -> list[str]:
    """Return the given paths that are folders in a commit; without paths, all top-level folders."""
    listed = _git(folder, "ls-tree", "-d", "-z", "--full-tree", "--name-only", commit, "--", *paths)
    return [path for path in listed.split("\0") if path]


def _normal(root: str) -> str:
    """Return a folder of a repository in git's notation, '' for the top level."""
    folder = posixpath.normpath(root.strip("/") or ".")
    return "" if folder == "." else folder


def _commit(folder: str, name: str) -> str:
    return _git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()


def _branch(folder: str, name: str) -> str:
    """Return the branch or tag to which a name such as HEAD refers, '' for a commit hash."""
    full = _git(folder, "rev-parse", "--symbolic-full-name", name).strip()
    for kind in ("refs/heads/", "refs/tags/"):
        if full.startswith(kind):
            return full[len(kind) :]
    return full.split("/", 3)[-1] if full.startswith("refs/remotes/") else ""


def _git(folder: str, *words: str) -> str:
    try:
        command = ["git", "-C", folder, "--literal-pathspecs", *words]
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except FileNotFoundError as exc:
        raise CommandExecutionError("--git needs the program git") from exc
    except subprocess.TimeoutExpired as exc:
        raise CommandExecutionError(f"git {words[0]} took more than {TIMEOUT} s in {folder}") from exc
    if done.returncode:
        problem = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        reason = problem[0] if problem else f"there is no commit {words[-1].removesuffix('^{commit}')!r}"
        raise CommandExecutionError(f"git in {folder}: {reason}")
    return done.stdout.decode(errors="replace")
