"""Commits and uncommitted changes: creation, comparison, merges, resets and stashes."""

from __future__ import annotations

import logging
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules.git._run import expand, git, text, words_of

log = logging.getLogger(__name__)


def add(cwd: str, filename: str, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Stage a file for the next commit; return git's output.

    Example::

        salt-g git.add /srv/repo foo.txt
    """
    return text(
        [*words_of(git_opts), "add", "--verbose", *words_of(opts), "--", filename], _at(cwd, how), how
    )


def commit(
    cwd: str, message: str, opts: Any = "", git_opts: Any = "", filename: str | None = None, **how: Any
) -> str:
    """Commit the staged changes, or one file; return git's output.

    Example::

        salt-g git.commit /srv/repo 'Say why'
    """
    files = ["--", filename] if filename else []
    words = [*words_of(git_opts), "commit", "-m", message, *words_of(opts), *files]
    return text(words, _at(cwd, how), how)


def describe(cwd: str, rev: str = "HEAD", **how: Any) -> str:
    """Return a description of a commit based on the nearest tag.

    Example::

        salt-g git.describe /srv/repo
    """
    return text(["describe", str(rev)], _at(cwd, how), how)


def diff(
    cwd: str,
    item1: str | None = None,
    item2: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    no_index: bool = False,
    cached: bool = False,
    paths: Any = None,
    **how: Any,
) -> str:
    """Return the differences between commits, of uncommitted changes, or between two files (`no_index`).

    `item1` and `item2` are commits; `cached` compares the staged changes with `item1`. `paths` (a list, or
    comma-separated text) restricts the result, or names the two files.

    Example::

        salt-g git.diff /srv/repo HEAD
    """
    if no_index and cached:
        raise InvocationError("Only one of 'no_index' and 'cached' is permitted")
    items = [str(item) for item in (item1, item2) if item]
    used = items[: 0 if no_index else 1 if cached else 2]
    if used != items:
        log.warning("git.diff: %s not used: too many commits for these options", items[len(used) :])
    options = [*words_of(opts), *(["--no-index"] if no_index else []), *(["--cached"] if cached else [])]
    files = paths.split(",") if isinstance(paths, str) else [str(each) for each in paths or []]
    words = [*words_of(git_opts), "diff", *options, *used, *(["--", *files] if files else [])]
    # Two files that differ are no failure, though git exits with 1.
    how |= {"ignore_retcode": True} if no_index else {}
    return text(words, _at(cwd, how), how, failhard=not no_index, redirect_stderr=no_index)


def merge(cwd: str, rev: str | None = None, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Merge a commit into the current branch; return git's output.

    Example::

        salt-g git.merge /srv/repo origin/main
    """
    how.pop("identity", None)
    words = [*words_of(git_opts), "merge", *words_of(opts), *([str(rev)] if rev else [])]
    return text(words, _at(cwd, how), how)


def merge_base(
    cwd: str,
    refs: Any = None,
    octopus: bool = False,
    is_ancestor: bool = False,
    independent: bool = False,
    fork_point: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> Any:
    """Return the best common ancestor of commits, `refs` (a list, or comma-separated text).

    `all=True` returns a list of all best ones; `octopus`, `independent` and `fork_point` (a ref) are those
    of git-merge-base(1). With `is_ancestor`, return whether the first of two commits is an ancestor of the
    second.

    Example::

        salt-g git.merge_base /srv/repo refs=HEAD,origin/main
    """
    commits = [each.strip() for each in refs.split(",")] if isinstance(refs, str) else [*(refs or [])]
    wants_all = how.pop("all", False)
    kinds = {
        "--octopus": octopus,
        "--is-ancestor": is_ancestor,
        "--independent": independent,
        "--fork-point": fork_point,
    }
    chosen = [option for option, is_chosen in kinds.items() if is_chosen]
    _check_kinds(chosen, commits, wants_all=wants_all)
    options = [*(["--all"] if wants_all else []), *chosen, *([str(fork_point)] if fork_point else [])]
    words = [*words_of(git_opts), "merge-base", *words_of(opts), *options, *commits]
    finished = git(words, _at(cwd, how), how, failhard=not is_ancestor)
    if is_ancestor:
        return finished["retcode"] == 0
    found = finished["stdout"].splitlines()
    return found if wants_all else found[0]


def _check_kinds(chosen: list[str], commits: list[str], *, wants_all: bool) -> None:
    """Raise InvocationError for options of `git merge-base` that contradict each other or the commits."""
    if len(chosen) > 1:
        raise InvocationError(
            "Only one of 'octopus', 'independent', 'is_ancestor' and 'fork_point' is permitted"
        )
    if wants_all and chosen not in ([], ["--octopus"]):
        raise InvocationError("'all' cannot be used with 'independent', 'is_ancestor' or 'fork_point'")
    if chosen == ["--is-ancestor"] and len(commits) != 2:
        raise InvocationError("Two refs/commits are required if 'is_ancestor' is True")
    if chosen == ["--fork-point"] and len(commits) > 1:
        raise InvocationError("At most one ref/commit is permitted if 'fork_point' is set")


def rebase(cwd: str, rev: str = "master", opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Rebase the current branch onto another commit; return git's output.

    Example::

        salt-g git.rebase /srv/repo origin/main
    """
    return text([*words_of(git_opts), "rebase", *words_of(opts), *rev.split()], _at(cwd, how), how)


def reset(cwd: str, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Reset to another commit, as `git reset` does; return git's output.

    Example::

        salt-g git.reset /srv/repo opts='--hard origin/main'
    """
    how.pop("identity", None)
    return text([*words_of(git_opts), "reset", *words_of(opts)], _at(cwd, how), how)


def rev_parse(cwd: str, rev: str | None = None, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Return the commit of a name, or other results of `git rev-parse`.

    Example::

        salt-g git.rev_parse /srv/repo HEAD
    """
    words = [*words_of(git_opts), "rev-parse", *words_of(opts), *([str(rev)] if rev is not None else [])]
    return text(words, _at(cwd, how), how)


def revision(cwd: str, rev: str = "HEAD", short: bool = False, **how: Any) -> str:
    """Return the SHA1 of a commit.

    Example::

        salt-g git.revision /srv/repo
    """
    return text(["rev-parse", *(["--short"] if short else []), str(rev)], _at(cwd, how), how)


def rm_(cwd: str, filename: str, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Remove a file from the working tree and the index; return git's output.

    Example::

        salt-g git.rm /srv/repo foo.txt
    """
    return text([*words_of(git_opts), "rm", *words_of(opts), "--", filename], _at(cwd, how), how)


def stash(cwd: str, action: str = "save", opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Stash changes, or restore them (`action=pop`); return git's output.

    Example::

        salt-g git.stash /srv/repo
    """
    return text([*words_of(git_opts), "stash", action, *words_of(opts)], _at(cwd, how), how)


def status(cwd: str, **how: Any) -> dict[str, list[str]]:
    """Return {"modified" | "new" | "deleted" | "untracked": [path, ...]} of uncommitted changes.

    Other kinds of changes have the letters of `git status --porcelain` as keys (`MM`).

    Example::

        salt-g git.status /srv/repo
    """
    names = {"M": "modified", "A": "new", "D": "deleted", "??": "untracked"}
    found: dict[str, list[str]] = {}
    fields = text(["status", "-z", "--porcelain"], _at(cwd, how), how).split("\0")
    for field in fields:
        kind, _, path = field.strip().partition(" ")
        if path:
            found.setdefault(names.get(kind, kind), []).append(path.strip())
    return found


def _at(cwd: str, how: dict[str, Any]) -> str:
    return expand(cwd, how.get("user"))
