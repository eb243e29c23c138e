"""A bare clone: references, trees, contents, and the lock that lets one process fetch."""

import os
import subprocess
import sys

import pytest

from salt_g.errors import FileServerError
from salt_g.git.repository import Repository, TreeEntry, is_commit_name
from salt_g.git.source import RemoteSource
from salt_g.process.command import which

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def origin(make_origin):
    made = make_origin("origin")
    made.first = made.commit(web__index_DOT_html="one")
    made.git("tag", "--annotate", "--message=x", "v1")
    return made


@pytest.fixture
def clone(origin, tmp_path):
    made = Repository(RemoteSource(origin.url), str(tmp_path / "clones"))
    made.update()
    return made


def test_nothing_is_known_before_the_first_fetch(origin, tmp_path):
    made = Repository(RemoteSource(origin.url), str(tmp_path / "clones"))

    assert (made.refs(), made.age()) == ({}, float("inf"))
    assert made.commit(origin.first, ("sha", "branch")) == ""


def test_branches_and_tags_have_the_commits_that_they_point_to(clone, origin):
    assert clone.refs() == {"branch/master": origin.first, "tag/v1": origin.first}
    assert clone.age() < 60


@pytest.mark.parametrize(
    ("ref", "kinds", "found"),
    [
        ("master", ("branch",), True),
        ("v1", ("branch",), False),
        ("v1", ("branch", "tag"), True),
        ("nosuch", ("branch", "tag", "sha"), False),
    ],
)
def test_a_reference_is_looked_for_by_its_kinds(clone, origin, ref, kinds, found):
    assert clone.commit(ref, kinds) == (origin.first if found else "")


def test_a_commit_may_be_named_by_the_beginning_of_its_hash(clone, origin):
    assert clone.commit(origin.first[:10], ("sha",)) == origin.first
    assert clone.commit("f" * 40, ("sha",)) == ""
    assert [is_commit_name(text) for text in ("abcdef0", "abcdef", "HEAD", "master~1")] == [
        True,
        False,
        False,
        False,
    ]


def test_a_tree_lists_folders_and_files(clone, origin):
    tree = clone.tree(origin.first)

    assert [(path, entry.mode, entry.kind) for path, entry in tree.items()] == [
        ("web", 0o40000, "tree"),
        ("web/index.html", 0o100644, "blob"),
    ]


def test_contents_are_private_files_that_are_written_once(clone, origin):
    sha = clone.tree(origin.first)["web/index.html"].sha

    path = clone.content(sha)

    with open(path) as file:
        assert file.read() == "one"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert (clone.content(sha), os.stat(path).st_nlink) == (path, 1)


def test_links_are_links_and_a_whole_commit_can_be_written(origin, clone, tmp_path):
    os.symlink("index.html", origin.path / "web" / "link")
    commit = origin.commit(run="x")
    assert clone.update() is True

    assert clone.link_target(clone.tree(commit)["web/link"].sha) == "index.html"
    assert clone.tree(commit)["web/link"] == TreeEntry(0o120000, "blob", clone.tree(commit)["web/link"].sha)
    clone.extract_all(commit, str(tmp_path / "out"))
    assert (tmp_path / "out" / "web" / "link").read_text() == "one"


def test_a_deleted_branch_is_forgotten_at_the_next_fetch(clone, origin):
    origin.git("branch", "gone")
    assert clone.update() is True and "branch/gone" in clone.refs()
    origin.git("branch", "--delete", "gone")

    assert clone.update() is True
    assert "branch/gone" not in clone.refs()


def test_fetches_of_another_process_are_noticed(clone, origin, tmp_path):
    other = Repository(RemoteSource(origin.url), str(tmp_path / "clones"))
    later = origin.commit(more="2")
    os.utime(os.path.join(clone._git, "FETCH_HEAD"), (1, 1))
    other.update()

    clone.notice()

    assert clone.refs()["branch/master"] == later


def test_while_updates_are_blocked_nothing_is_fetched(clone, origin):
    origin.commit(more="2")

    assert (clone.lock(), clone.lock()) == (True, False)
    assert clone.update() is False and clone.refs()["branch/master"] == origin.first
    assert (clone.clear_lock(), clone.clear_lock()) == (True, False)
    assert clone.update() is True


def test_a_lock_that_was_asked_for_outlives_the_process_that_set_it(clone, origin):
    program = "import sys; from salt_g.git import repository, source; "
    program += "repository.Repository(source.RemoteSource(sys.argv[1]), sys.argv[2]).lock()"
    subprocess.run(
        [sys.executable, "-c", program, origin.url, os.path.dirname(clone.directory)], check=True, timeout=60
    )
    origin.commit(more="2")

    assert clone.update() is False and clone.lock() is False
    assert clone.clear_lock() is True
    assert clone.update() is True


def test_the_lock_of_a_process_that_is_gone_does_not_block(clone, origin):
    program = subprocess.Popen([sys.executable, "-c", ""])
    program.wait()
    with open(os.path.join(clone.directory, "update.lk"), "w") as file:
        file.write(str(program.pid))
    origin.commit(more="2")

    assert clone.update() is True


def test_an_error_of_git_names_the_source_and_not_its_password(tmp_path):
    gone = Repository(RemoteSource("http://me:secret@127.0.0.1:1/gone"), str(tmp_path / "clones"))

    with pytest.raises(FileServerError, match="git fetch: ") as caught:
        gone.update()

    assert "secret" not in str(caught.value)


def test_a_removed_clone_is_fetched_anew(clone, origin):
    clone.clear_cache()
    assert not os.path.exists(clone.directory)
    clone.clear_cache()

    assert clone.update() is True
    assert clone.refs()["branch/master"] == origin.first


def test_a_missing_git_is_to_be_installed(clone, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FileServerError, match="'git' is not installed or not in PATH; install git$"):
        clone.update()


def test_a_git_that_cannot_be_started_says_why(clone, tmp_path, monkeypatch):
    (tmp_path / "git").write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FileServerError, match="'git' cannot be started: .*Permission denied") as refused:
        clone.update()

    assert "install" not in str(refused.value)
