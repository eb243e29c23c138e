"""Git repositories and worktrees, managed with the program `git`.

Begin with `checkout.py` (repositories, worktrees), then `remotes.py`.

Every function except `git.version` accepts `user` (to run git as) and, after its own arguments, `password`
(of that user), `output_encoding` and `ignore_retcode`; those that contact a remote also accept `identity`
(path or URL of an SSH key, or a list of them) and `saltenv`. `opts` are further options of the command
(`git fetch`), `git_opts` those of git itself; both are a list, or text split as by a shell.

With `ignore_retcode`, a job does not fail because a function returns that something is not there or not so
(`config_get`, `config_get_regexp`, `merge_base` with `is_ancestor`); other failures are errors either way.
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.modules.git._run import version
from salt_g.modules.git.branches import (
    branch,
    current_branch,
    list_branches,
    list_tags,
    symbolic_ref,
    tag,
)
from salt_g.modules.git.checkout import (
    archive,
    checkout,
    discard_local_changes,
    init,
    is_worktree,
    submodule,
    worktree_add,
    worktree_prune,
    worktree_rm,
)
from salt_g.modules.git.config import (
    config_get,
    config_get_regex,
    config_get_regexp,
    config_set,
    config_unset,
)
from salt_g.modules.git.history import (
    add,
    commit,
    describe,
    diff,
    merge,
    merge_base,
    rebase,
    reset,
    rev_parse,
    revision,
    rm_,
    stash,
    status,
)
from salt_g.modules.git.remotes import (
    clone,
    fetch,
    ls_remote,
    pull,
    push,
    remote_get,
    remote_refs,
    remote_set,
    remotes,
)
from salt_g.modules.git.worktrees import list_worktrees, merge_tree

__func_alias__ = {"rm_": "rm"}

__all__ = [
    "add",
    "archive",
    "branch",
    "checkout",
    "clone",
    "commit",
    "config_get",
    "config_get_regex",
    "config_get_regexp",
    "config_set",
    "config_unset",
    "current_branch",
    "describe",
    "diff",
    "discard_local_changes",
    "fetch",
    "init",
    "is_worktree",
    "list_branches",
    "list_tags",
    "list_worktrees",
    "ls_remote",
    "merge",
    "merge_base",
    "merge_tree",
    "pull",
    "push",
    "rebase",
    "remote_get",
    "remote_refs",
    "remote_set",
    "remotes",
    "reset",
    "rev_parse",
    "revision",
    "rm_",
    "stash",
    "status",
    "submodule",
    "symbolic_ref",
    "tag",
    "version",
    "worktree_add",
    "worktree_prune",
    "worktree_rm",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("git"):
        return True
    return False, "The git execution module could not be loaded: git unavailable." + hint("git")
