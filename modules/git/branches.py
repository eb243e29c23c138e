"""Branches, tags and symbolic refs."""

from __future__ import annotations

from typing import Any

from salt_g.modules.git._run import expand, git, text, words_of


def branch(cwd: str, name: str | None = None, opts: Any = "", git_opts: Any = "", **how: Any) -> bool:
    """Create or change a branch, as `git branch` does; return True.

    Example::

        salt-g git.branch /srv/repo new-branch
    """
    text([*words_of(git_opts), "branch", *words_of(opts), *([name] if name else [])], _at(cwd, how), how)
    return True


def current_branch(cwd: str, **how: Any) -> str:
    """Return the checked-out branch, or `HEAD` if none is checked out.

    Example::

        salt-g git.current_branch /srv/repo
    """
    return text(["rev-parse", "--abbrev-ref", "HEAD"], _at(cwd, how), how)


def list_branches(cwd: str, remote: bool = False, **how: Any) -> list[str]:
    """Return the names of the local branches, or with `remote` of the remote-tracking ones (`origin/main`).

    Example::

        salt-g git.list_branches /srv/repo
    """
    where = "refs/remotes/" if remote else "refs/heads/"
    return text(["for-each-ref", "--format", "%(refname:short)", where], _at(cwd, how), how).splitlines()


def list_tags(cwd: str, **how: Any) -> list[str]:
    """Return the names of the tags.

    Example::

        salt-g git.list_tags /srv/repo
    """
    return text(
        ["for-each-ref", "--format", "%(refname:short)", "refs/tags/"], _at(cwd, how), how
    ).splitlines()


def tag(
    cwd: str,
    name: str,
    ref: str = "HEAD",
    message: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> str:
    """Create, change or delete (`opts=-d`) a tag; return git's output.

    Example::

        salt-g git.tag /srv/repo v1 message='Version 1'
    """
    given = words_of(opts)
    is_deleting = "-d" in given or "--delete" in given
    words = [*words_of(git_opts), "tag", *given, *(["-m", message] if message else []), str(name)]
    return text(words if is_deleting else [*words, ref], _at(cwd, how), how)


def symbolic_ref(
    cwd: str, ref: str, value: str | None = None, opts: Any = "", git_opts: Any = "", **how: Any
) -> str:
    """Return the target of a symbolic ref (`HEAD`), or set it to `value`.

    Example::

        salt-g git.symbolic_ref /srv/repo HEAD
    """
    words = [*words_of(git_opts), "symbolic-ref", *words_of(opts), ref, *([value] if value else [])]
    return git(words, _at(cwd, how), how, failhard="--quiet" not in words)["stdout"]


def _at(cwd: str, how: dict[str, Any]) -> str:
    return expand(cwd, how.get("user"))
