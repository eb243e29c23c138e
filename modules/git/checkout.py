"""Checkouts: repositories, submodules, worktrees, and archives of their files."""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.git._run import check_place, expand, text, words_of


def init(
    cwd: str,
    bare: bool = False,
    template: str | None = None,
    separate_git_dir: str | None = None,
    shared: Any = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> str:
    """Create a repository; return git's output.

    `template`, `separate_git_dir` and `shared` are those of git-init(1).

    Example::

        salt-g git.init /srv/repo bare=True
    """
    options = [*(["--bare"] if bare else []), *([f"--template={template}"] if template is not None else [])]
    if separate_git_dir is not None:
        check_place(separate_git_dir, how.get("user"))
        options.append(f"--separate-git-dir={separate_git_dir}")
    if shared not in (None, False):
        options.append("--shared" if shared is True else f"--shared={_shared(shared)}")
    target = expand(cwd, how.get("user"))
    return text([*words_of(git_opts), "init", *options, *words_of(opts), target], None, how)


def checkout(
    cwd: str, rev: str | None = None, force: bool = False, opts: Any = "", git_opts: Any = "", **how: Any
) -> str:
    """Check out a branch or a commit (`rev`, optional with `opts='-b NAME'`); return git's output.

    Example::

        salt-g git.checkout /srv/repo main
    """
    options = words_of(opts)
    if rev is None and "-b" not in options and "-B" not in options:
        raise InvocationError("'rev' argument is required unless -b or -B in opts")
    target = [*(["--force"] if force else []), *options, *([str(rev)] if rev is not None else [])]
    words = [*words_of(git_opts), "checkout", *target]
    return text(words, expand(cwd, how.get("user")), how, redirect_stderr=True)


def discard_local_changes(cwd: str, path: str = ".", **how: Any) -> str:
    """Discard the unstaged changes of a file or directory; return git's output.

    Example::

        salt-g git.discard_local_changes /srv/repo
    """
    return text(["checkout", "--", path], expand(cwd, how.get("user")), how, redirect_stderr=True)


def archive(
    cwd: str,
    output: str,
    rev: str = "HEAD",
    prefix: str | None = None,
    git_opts: Any = "",
    overwrite: bool = False,
    **how: Any,
) -> bool:
    """Write a commit's files to an archive; return True.

    `format` overrides the file extension of `output`. `prefix` is put before each path in the archive; the
    default is the directory's name and a slash.

    Example::

        salt-g git.archive /srv/repo /tmp/repo.tar.gz
    """
    target = expand(cwd, how.get("user"))
    check_place(os.path.join(target, output), how.get("user"))
    if os.path.exists(output) and not overwrite:
        raise CommandExecutionError(f"{output} exists; set 'overwrite' to True to replace it")
    inside = f"{os.path.basename(target)}/" if prefix is None else prefix
    kind = how.pop("format", None)
    options = [*([f"--format={kind}"] if kind else []), f"--prefix={inside}", f"--output={output}"]
    text([*words_of(git_opts), "archive", *options, str(rev)], target, how)
    return True


def submodule(
    cwd: str, command: str, opts: Any = "", git_opts: Any = "", init: bool = False, **how: Any
) -> str:
    """Run a command of `git submodule`; return git's output.

    Example::

        salt-g git.submodule /srv/repo update opts='--init --recursive'
    """
    options = [*words_of(opts), *(["--init"] if init else [])]
    words = [*words_of(git_opts), "submodule", *words_of(command), *options]
    return text(words, expand(cwd, how.get("user")), how)


def is_worktree(cwd: str, **how: Any) -> bool:
    """Return whether a directory is in a linked worktree, not in a repository's main one.

    Example::

        salt-g git.is_worktree /srv/repo
    """
    try:
        top = text(["rev-parse", "--show-toplevel"], expand(cwd, how.get("user")), how)
        with open(os.path.join(top, ".git"), encoding="utf-8") as file:
            label, _, path = file.readline().strip().partition(" ")
    except (CommandExecutionError, OSError):
        return False
    return label == "gitdir:" and os.path.isabs(path)


def worktree_add(
    cwd: str,
    worktree_path: str,
    ref: str | None = None,
    reset_branch: bool | None = None,
    force: bool | None = None,
    detach: bool = False,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> str:
    """Check out a linked worktree; return git's output.

    `branch` names a new branch for it; with `reset_branch` an existing branch of that name is reset.

    Example::

        salt-g git.worktree_add /srv/repo /srv/repo-v1 ref=v1
    """
    branch = how.pop("branch", None)
    if branch and detach:
        raise InvocationError("Only one of 'branch' and 'detach' is allowed")
    where = expand(cwd, how.get("user"))
    check_place(os.path.join(where, worktree_path), how.get("user"))
    options = [*words_of(opts), *(["--detach"] if detach else []), *(["--force"] if force else [])]
    if branch:
        options += ["-B" if reset_branch else "-b", str(branch)]
    words = [*words_of(git_opts), "worktree", "add", *options, worktree_path, *([str(ref)] if ref else [])]
    return text(words, where, how, redirect_stderr=True)


def worktree_prune(
    cwd: str,
    dry_run: bool = False,
    verbose: bool = True,
    expire: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> str:
    """Drop the records of worktrees whose directories are gone; return git's output.

    Example::

        salt-g git.worktree_prune /srv/repo
    """
    options = [*(["--dry-run"] if dry_run else []), *(["--verbose"] if verbose else [])]
    options += ["--expire", expire] if expire else []
    words = [*words_of(git_opts), "worktree", "prune", *options, *words_of(opts)]
    # Since version 2.35 git reports to stderr.
    return text(words, expand(cwd, how.get("user")), how, redirect_stderr=True)


def worktree_rm(cwd: str, user: str | None = None, **how: Any) -> bool:
    """Remove the directory of a linked worktree; return True.

    Example::

        salt-g git.worktree_rm /srv/repo-v1
    """
    target = expand(cwd, user)
    if not os.path.exists(target):
        raise CommandExecutionError(f"{target} does not exist")
    if not is_worktree(target, user=user, **how):
        raise CommandExecutionError(f"{target} is not a git worktree")
    safe_files.remove_tree(target)
    return True


def _shared(value: Any) -> str:
    """Return the value of git's option for sharing; a mode given as a number gets a leading zero."""
    return f"0{value}" if isinstance(value, int) else str(value)
