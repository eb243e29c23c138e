"""The command lines of git's functions, and their results in a repository on this machine."""

import inspect
import os
import shutil
import subprocess
from typing import Any, NamedTuple

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import cmd, git

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


class Repository(NamedTuple):
    """A checkout with two commits, and the scratch dict of the call."""

    path: str
    scratch: dict[str, Any]


@pytest.fixture
def repository(tmp_path, monkeypatch, call_context):
    path = str(tmp_path / "repository")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "init", "--quiet", path], check=True)
    for message in ("one", "two"):
        commit = ["commit", "--quiet", "--allow-empty", "-m", message]
        subprocess.run(["git", *identity, *commit], cwd=path, check=True)
    context = call_context(functions={"cmd.run_all": cmd.run_all})
    return Repository(path, context.scratch)


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


@pytest.mark.parametrize(
    ("function", "wish", "expected"),
    [
        ("config_get", {"key": "no.such"}, None),
        ("config_get_regexp", {"key": "no[.]such"}, {}),
        ("merge_base", {"refs": "HEAD,HEAD~", "is_ancestor": True}, False),
        ("symbolic_ref", {"ref": "NONE", "opts": "--quiet"}, ""),
    ],
)
def test_a_failed_lookup_fails_the_job_unless_its_code_is_ignored(repository, function, wish, expected):
    run = getattr(git, function)

    assert run(cwd=repository.path, ignore_retcode=True, **wish) == expected
    assert repository.scratch["retcode"] == 0
    assert run(cwd=repository.path, **wish) == expected
    assert repository.scratch["retcode"] == 1


def test_a_successful_lookup_leaves_the_job_successful(repository):
    assert git.merge_base(repository.path, "HEAD~,HEAD", is_ancestor=True) is True
    assert repository.scratch["retcode"] == 0


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"item1": "a", "item2": "b", "paths": "x,y z"}, "a b -- x y z"),
        ({"item1": "a", "item2": "b", "cached": True}, "--cached a"),
        ({"item1": "a", "no_index": True, "paths": ["x", 7]}, "--no-index -- x 7"),
    ],
)
def test_a_diff_uses_the_commits_and_paths_that_its_options_allow(programs, tmp_path, wish, words):
    ran = programs()

    git.diff(str(tmp_path), **wish)

    assert ran.lines == [f"git diff {words}"]


def test_a_diff_says_which_file_is_missing(repository):
    assert "/no/such" in git.diff(repository.path, no_index=True, paths=f"{__file__},/no/such")
    with pytest.raises(InvocationError, match="'no_index' and 'cached'"):
        git.diff(repository.path, no_index=True, cached=True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["a.none"], "Key 'a.none' does not exist"),
        (["a.two"], "Multiple values exist for key 'a.two'"),
        (["a.two", "x"], "Key 'a.two' has no such value"),
    ],
)
def test_a_setting_that_is_not_removed_says_why(repository, words, reason):
    git.config_set("a.two", multivar=["1", "2"], cwd=repository.path)

    with pytest.raises(CommandExecutionError, match=reason):
        git.config_unset(*words, cwd=repository.path)


def test_pruned_worktrees_are_named(repository, tmp_path):
    git.worktree_add(repository.path, str(tmp_path / "gone"))
    shutil.rmtree(tmp_path / "gone")

    assert "worktrees/gone" in git.worktree_prune(repository.path)


def test_two_files_that_differ_leave_the_job_successful(repository, tmp_path):
    (tmp_path / "a").write_text("a\n")
    (tmp_path / "b").write_text("b\n")

    shown = git.diff(repository.path, no_index=True, paths=[str(tmp_path / "a"), str(tmp_path / "b")])

    assert shown.endswith("\n-a\n+b")
    assert repository.scratch["retcode"] == 0
