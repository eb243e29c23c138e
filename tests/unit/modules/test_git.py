"""The command lines of git's functions, and their results in a repository on this machine."""

import inspect

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import git

#: Further arguments of the functions with `git_opts`, so that each has a command.
ARGUMENTS = {
    "add": {"filename": "f"},
    "archive": {"output": "/nonexistent/x.tar"},
    "checkout": {"rev": "main"},
    "clone": {"url": "https://example.org/repo.git"},
    "commit": {"message": "m"},
    "merge_base": {"refs": "a,b", "is_ancestor": True},
    "rm_": {"filename": "f"},
    "submodule": {"command": "update"},
    "symbolic_ref": {"ref": "HEAD"},
    "tag": {"name": "v1"},
    "worktree_add": {"worktree_path": "w"},
}
WITH_GIT_OPTS = [
    name for name in git.__all__ if "git_opts" in inspect.signature(getattr(git, name)).parameters
]


@pytest.mark.parametrize("name", WITH_GIT_OPTS)
def test_options_of_git_itself_stand_before_the_subcommand(programs, tmp_path, name):
    ran = programs()

    getattr(git, name)(str(tmp_path), git_opts="-c core.x=y", **ARGUMENTS.get(name, {}))

    subcommand = name.rstrip("_").replace("_", " " if name.startswith("worktree") else "-")
    assert ran.lines[-1].startswith(f"git -c core.x=y {subcommand}")


def test_pushes_take_options_of_both_kinds(programs, tmp_path):
    ran = programs()

    git.push(str(tmp_path), "origin", "main", "--force", "-c http.x=y")

    assert ran.lines == ["git -c http.x=y push --force origin main"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"refs": ["a", "b"], "independent": True}, "--independent a b"),
        ({"fork_point": "origin/main"}, "--fork-point origin/main"),
        ({"refs": "a,b", "octopus": True, "all": True}, "--all --octopus a b"),
    ],
)
def test_kinds_of_common_ancestors(programs, tmp_path, wish, words):
    ran = programs({"merge-base": "abc"})

    assert git.merge_base(str(tmp_path), **wish) == (["abc"] if "all" in wish else "abc")
    assert ran.lines == [f"git merge-base {words}"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"octopus": True, "independent": True}, "Only one of"),
        ({"all": True, "independent": True}, "'all' cannot be used with"),
        ({"refs": "a", "is_ancestor": True}, "Two refs/commits are required"),
        ({"refs": "a,b", "fork_point": "c"}, "At most one ref/commit"),
    ],
)
def test_kinds_of_common_ancestors_that_contradict_each_other_are_refused(programs, tmp_path, wish, words):
    ran = programs()

    with pytest.raises(InvocationError, match=words):
        git.merge_base(str(tmp_path), **wish)

    assert ran.lines == []
