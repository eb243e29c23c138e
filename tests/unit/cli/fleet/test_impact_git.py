"""Files that differ between two commits, as names on the file server."""

import subprocess

import pytest

from salt_g.cli.fleet.impact_git import GitRange, check_root, differing, names, without_root
from salt_g.errors import CommandExecutionError, InvocationError


def git(folder, *words):
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    """Return a repository with the branches main and feature, and a tag at the end of feature."""
    (tmp_path / "states").mkdir()
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "states" / "web.sls").write_text("a: test.nop\n")
    (tmp_path / "states" / "old name.txt").write_text("text\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    git(tmp_path, "checkout", "-q", "-b", "feature")
    (tmp_path / "states" / "web.sls").write_text("b: test.nop\n")
    (tmp_path / "README").write_text("text\n")
    git(tmp_path, "mv", "states/old name.txt", "states/nëw.txt")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "two")
    git(tmp_path, "tag", "v2")
    return str(tmp_path)


CHANGED = ["README", "states/nëw.txt", "states/old name.txt", "states/web.sls"]


@pytest.mark.parametrize(
    ("span", "branch"),
    [("main..feature", "feature"), ("main..HEAD", "feature"), ("main..", "feature"), ("main..v2", "v2")],
)
def test_differing_paths_are_named_and_moved_files_with_both_paths(repository, span, branch):
    found = differing(repository, span)

    assert (sorted(found.paths), found.branch) == (CHANGED, branch)


def test_one_name_is_compared_with_the_present_commit(repository):
    found = differing(repository, "main")

    assert (sorted(found.paths), found.branch) == (CHANGED, "main")


def test_equal_commits_have_no_paths(repository):
    assert differing(repository, "HEAD..HEAD").paths == []


def test_a_commit_has_no_branch(repository):
    commit = differing(repository, "main..feature").after

    assert differing(repository, f"main..{commit}").branch == ""


@pytest.mark.parametrize(
    "span", ["--output=/tmp/x..HEAD", "main..--output=x", "main...HEAD", "HEAD", "@", "..", ""]
)
def test_an_invalid_range_is_wrong_usage(repository, span):
    with pytest.raises(InvocationError):
        differing(repository, span)


@pytest.mark.parametrize("span", ["none..HEAD", "none"])
def test_a_commit_that_is_not_there_is_an_error_of_git(repository, span):
    with pytest.raises(CommandExecutionError, match="none"):
        differing(repository, span)


def test_a_folder_without_a_repository_is_reported(tmp_path):
    with pytest.raises(CommandExecutionError, match="not a git repository"):
        differing(str(tmp_path), "main..HEAD")


def test_a_root_that_neither_commit_has_is_refused(repository):
    found = differing(repository, "main..feature")

    for root in ("", ".", "states", "/states/", "./states"):
        check_root(repository, found, root)
    for root in ("nope", "README", "states/web.sls"):
        with pytest.raises(InvocationError, match="is a folder in neither commit.*there: states$"):
            check_root(repository, found, root)


def test_a_root_that_only_one_commit_has_is_known(repository):
    git(repository, "mv", "states", "salt")
    git(repository, "commit", "-q", "-m", "three")
    found = differing(repository, "v2..HEAD")

    for root in ("states", "salt"):
        check_root(repository, found, root)


def test_an_answer_without_a_root_is_in_doubt_if_the_tree_is_in_a_folder(repository):
    found = differing(repository, "main..feature")

    doubt = without_root(repository, found, ["pillar:a", "salt://"], "web.sls")
    assert "by their paths in the repository (salt://README), but no run has read them" in doubt
    assert doubt.endswith("; web.sls is in states: name the folder that the file server serves with --root")
    assert "there is no SLS at the top" in without_root(repository, found, [], "top.sls")
    assert without_root(repository, found, ["salt://states/web.sls"], "top.sls") == ""


def test_an_answer_about_a_tree_at_the_top_is_in_no_doubt(repository):
    git(repository, "mv", "states/web.sls", "web.sls")
    git(repository, "commit", "-q", "-m", "three")

    assert without_root(repository, differing(repository, "v2..HEAD"), [], "top.sls") == ""


def test_only_files_that_are_served_have_names():
    found = GitRange("a", "b", "", ["README", "states/web.sls", "states/a?b", "statesx/y"])

    assert names(found, "./states/") == names(found, "states") == ["salt://web.sls", "salt://|a?b"]
    found = found._replace(paths=["README", "states/web.sls", "statesx/y"])
    assert names(found, "") == ["salt://README", "salt://states/web.sls", "salt://statesx/y"]
