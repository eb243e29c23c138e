"""`git.latest` on checkouts of a repository beside it: real git, real execution functions."""

import os
import pathlib
import subprocess

import pytest

from salt_g.modules import cmd, git
from salt_g.states.git import latest

WHO = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class Folder:
    """A git working directory."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def git(self, *words):
        """Run git here; return its output."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.path,
            env={**os.environ, **WHO},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self, text):
        """Write a commit; return its SHA1."""
        (self.path / "file").write_text(text)
        self.git("add", "file")
        self.git("commit", "-q", "-m", text)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def origin(tmp_path, monkeypatch):
    """Return a repository with two commits on `main`, the tag `v1` at the first, and a branch `side`."""
    for name, value in WHO.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "origin").mkdir()
    made = Folder(tmp_path / "origin")
    made.git("init", "-q", "-b", "main")
    made.first = made.commit("one")
    made.git("tag", "v1")
    made.git("checkout", "-q", "-b", "side")
    made.side = made.commit("side")
    made.git("checkout", "-q", "main")
    made.head = made.commit("two")
    return made


@pytest.fixture
def reach(call_context, origin, tmp_path):
    """Return a function that applies `git.latest` to `tmp_path/here`, with `test=True` in test mode."""
    functions = {f"git.{name}": getattr(git, name) for name in git.__all__}
    functions["cmd.run_all"] = cmd.run_all

    def apply(*, test=False, **arguments):
        call_context(functions=functions, opts={"test": test})
        return latest(str(origin.path), str(tmp_path / "here"), **arguments)

    return apply


@pytest.fixture
def here(reach, tmp_path):
    """Return a checkout of the first commit of `main`, made by the state."""
    assert reach(rev="main")["result"] is True
    return Folder(tmp_path / "here")


def result_of(ret):
    return ret["result"], ret["comment"], ret["changes"]


def test_a_missing_checkout_is_cloned_and_is_as_wanted_the_second_time(reach, origin, tmp_path):
    target = str(tmp_path / "here")

    planned = reach(test=True)
    made = reach()
    again = reach()

    assert result_of(planned) == (
        None,
        f"Repository {origin.path} would be cloned to {target}",
        {"new": f"{origin.path} => {target}"},
    )
    assert result_of(made) == (
        True,
        f"{origin.path} cloned to {target}",
        {"new": f"{origin.path} => {target}", "revision": {"old": None, "new": origin.head}},
    )
    assert result_of(again) == (True, f"Repository {target} is up-to-date", {})


def test_a_checkout_that_is_behind_is_fast_forwarded(reach, origin, here):
    new = origin.commit("three")
    revision = {"revision": {"old": origin.head, "new": new}}

    planned = reach(test=True, rev="main")
    done = reach(rev="main")

    assert result_of(planned) == (
        None,
        f"Remote 'origin' would be fetched. Repository would be updated from {origin.head[:7]} to {new[:7]}.",
        revision,
    )
    assert result_of(done) == (
        True,
        f"{origin.path} was fetched, resulting in updated refs. "
        f"Repository was fast-forwarded to origin/main ({new[:7]}).",
        revision,
    )
    assert here.git("rev-parse", "HEAD") == new


def test_head_stays_where_it_was_asked_to(reach, origin, here):
    new = origin.commit("three")
    words = f"({origin.head[:7]}) does not match"

    planned = reach(test=True, rev="main", update_head=False)
    done = reach(rev="main", update_head=False)
    again = reach(rev="main", update_head=False)

    assert planned["comment"] == (
        "Remote 'origin' would be fetched. "
        f"Local HEAD {words} origin/main ({new[:7]}) but update_head=False, "
        "HEAD would not be updated locally."
    )
    present = f"origin/main ({new[:7]}) is already present and local HEAD {words}, but update_head=False."
    assert done["comment"] == again["comment"] == f"{present} HEAD has not been updated locally."
    assert here.git("rev-parse", "HEAD") == origin.head


def test_history_that_was_written_anew_is_reset_to_by_force_only(reach, origin, here):
    origin.git("reset", "-q", "--hard", "HEAD~1")
    new = origin.commit("other")

    refused = reach(rev="main")
    forced = reach(rev="main", force_reset=True, force_fetch=True)

    assert refused["result"] is False
    assert refused["comment"].startswith("Fetch failed. Set 'force_fetch' to True to force the fetch")
    assert result_of(forced) == (
        True,
        f"Repository was hard-reset to origin/main ({new[:7]})",
        {"forced update": True, "revision": {"old": origin.head, "new": new}},
    )


def test_another_branch_needs_force_or_its_own_local_branch(reach, origin, here):
    refused = reach(rev="side")
    planned = reach(test=True, rev="side", branch="side")
    own = reach(rev="side", branch="side")

    assert refused["result"] is False
    assert refused["comment"] == (
        f"Repository would be updated to {origin.side[:7]}, but this is not a fast-forward merge. Set "
        "'force_reset' to True to force this update. The desired rev (side) differs from the name of the "
        "local branch (main), if the desired rev is a branch name then a forced update could possibly be "
        "avoided by setting the 'branch' argument to 'side' instead."
    )
    assert planned["comment"] == (
        f"New branch 'side' would be checked out, with origin/side ({origin.side[:7]}) as a starting point. "
        "Tracking branch would be set to origin/side. Tracking branch would be updated to origin/side."
    )
    assert result_of(own) == (
        True,
        f"New branch 'side' was checked out, with origin/side ({origin.side[:7]}) as a starting point",
        {"revision": {"old": origin.head, "new": origin.side}},
    )
    assert here.git("rev-parse", "--abbrev-ref", "side@{upstream}") == "origin/side"


def test_a_branch_that_is_here_is_checked_out_and_moved(reach, origin, here):
    here.git("branch", "kept", "v1")

    planned = reach(test=True, rev="main", branch="kept")
    done = reach(rev="main", branch="kept")

    assert planned["comment"].endswith(
        f"made: Branch 'kept' would be checked out and fast-forwarded to {origin.head[:7]}. "
        "Tracking branch would be set to origin/main."
    )
    assert done["comment"].endswith(
        "Changes made: 'kept' was checked out. Tracking branch was set to origin/main. "
        f"Repository was fast-forwarded to origin/main ({origin.head[:7]})."
    )
    assert here.git("rev-parse", "--abbrev-ref", "HEAD") == "kept"


def test_uncommitted_changes_are_kept_unless_they_may_go(reach, origin, here):
    (here.path / "file").write_text("mine")

    kept = reach(rev="main")
    planned = reach(test=True, rev="main", force_reset=True)
    still = (here.path / "file").read_text()
    forced = reach(rev="main", force_reset=True)

    assert kept["comment"].endswith("Set 'force_reset' to True to purge uncommitted changes.")
    assert planned["result"] is None
    assert planned["changes"] == {"forced update": True}
    assert still == "mine"
    assert forced["result"] is True
    assert "Uncommitted changes were discarded" in forced["comment"]
    assert (here.path / "file").read_text() == "two"


def test_uncommitted_changes_are_in_the_way_of_an_update(reach, origin, here):
    new = origin.commit("three")
    (here.path / "file").write_text("mine")

    refused = reach(rev="main")
    done = reach(rev="main", force_reset="remote-changes")

    assert refused["comment"].startswith(
        f"Repository would be updated from {origin.head[:7]} to {new[:7]}, but there are uncommitted changes."
        " Set 'force_reset' to True (or 'remote-changes') to force this update and discard these changes."
    )
    assert done["result"] is True
    assert (here.path / "file").read_text() == "three"


def test_a_tag_is_checked_out_and_one_that_moved_is_reported(reach, origin, here):
    back = reach(rev="v1", branch="old")
    origin.git("tag", "-f", "v1")
    moved = reach(rev="v1", branch="old")

    assert back["changes"]["revision"] == {"old": origin.head, "new": origin.first}
    assert moved["result"] is False
    assert moved["comment"].startswith(
        f"'v1' is a tag, but the remote SHA1 for this tag ({origin.head[:7]}) doesn't match the local SHA1 "
        f"({origin.first[:7]})."
    )


def test_tags_come_and_go_with_those_of_the_remote(reach, origin, here):
    origin.git("tag", "v2")
    origin.git("tag", "-d", "v1")
    new = origin.commit("three")

    done = reach(rev="main")

    assert done["changes"] == {
        "new_tags": ["v2"],
        "deleted_tags": ["v1"],
        "revision": {"old": origin.head, "new": new},
    }
    assert "The following tags were removed from the local checkout: v1" in done["comment"]
    assert here.git("tag") == "v2"


def test_a_remote_that_leads_elsewhere_is_set(reach, origin, here):
    here.git("remote", "set-url", "origin", "https://user:secret@example.org/x")

    planned = reach(test=True, rev="main")
    done = reach(rev="main")

    change = f"from https://<redacted>@example.org/x to {origin.path}"
    assert planned["comment"].endswith(f"made: Remote 'origin' would be changed {change}")
    assert done["comment"].endswith(f"made: Remote 'origin' changed {change}")
    assert here.git("remote", "get-url", "origin") == str(origin.path)


def test_a_bare_repository_is_fetched(reach, origin, tmp_path):
    reach(bare=True)
    new = origin.commit("three")

    planned = reach(test=True, bare=True)
    done = reach(bare=True)

    bare = Folder(tmp_path / "here")
    assert planned["comment"].endswith(f"Bare repository at {bare.path} would be fetched")
    assert f"Bare repository at {bare.path} was fetched, resulting in updated refs" in done["comment"]
    assert bare.git("cat-file", "-t", new) == "commit"


def test_a_clone_whose_default_branch_is_gone_says_what_to_do(reach, origin):
    origin.git("branch", "-m", "side", "develop")
    origin.git("symbolic-ref", "HEAD", "refs/heads/gone")

    first = reach(rev="develop")
    second = reach(rev="develop")
    third = reach(rev="develop", branch="develop")

    assert [each["result"] for each in (first, second, third)] == [False, False, True]
    assert first["comment"].startswith("Remote HEAD refers to a ref that does not exist.")
    assert second["comment"].startswith(
        "Cannot set/unset upstream tracking branch, local HEAD refers to nonex"
    )
    assert "by setting the 'branch' argument" in second["comment"]
    assert second["changes"] == {}
    assert third["comment"].startswith("New branch 'develop' was checked out, with origin/develop (")
    assert third["changes"] == {"revision": {"old": None, "new": origin.side}}
