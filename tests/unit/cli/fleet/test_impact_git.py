"""Files that differ between two commits, as names of the file server."""

import subprocess

import pytest

from salt_g.cli.fleet.impact_git import GitRange, differing, names
from salt_g.errors import CommandExecutionError


def git(folder, *words):
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    """A repository with the branches main and feature, and a tag at the end of feature."""
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
    assert sorted(differing(repository, "main").paths) == CHANGED
    assert differing(repository, "HEAD").paths == []


def test_a_commit_has_no_branch(repository):
    commit = differing(repository, "main..feature").after

    assert differing(repository, f"main..{commit}").branch == ""


@pytest.mark.parametrize("span", ["--output=/tmp/x..HEAD", "main..--output=x", "none..HEAD", "main...HEAD"])
def test_an_invalid_range_is_refused(repository, span):
    with pytest.raises(CommandExecutionError):
        differing(repository, span)


def test_a_folder_without_a_repository_is_reported(tmp_path):
    with pytest.raises(CommandExecutionError, match="not a git repository"):
        differing(str(tmp_path), "main..HEAD")


def test_only_files_that_are_served_have_names():
    found = GitRange("a", "b", "", ["README", "states/web.sls", "statesx/y"])

    assert names(found, "states/") == ["salt://web.sls"]
    assert names(found, "") == ["salt://README", "salt://states/web.sls", "salt://statesx/y"]
