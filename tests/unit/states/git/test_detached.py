"""`git.detached`: a checkout at one commit, with real git and real execution functions."""

import subprocess

import pytest

from salt_g.modules import cmd, git
from salt_g.process.command import which
from salt_g.states.git import detached

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def origin(make_origin):
    """Return a repository with two commits and the tag `v1` at the first."""
    made = make_origin("origin")
    made.first = made.commit(file="one")
    made.git("tag", "v1")
    made.second = made.commit(file="two")
    return made


@pytest.fixture
def state(call_context, origin, tmp_path):
    """Return a function that runs the state for this revision in `tmp_path / "checkout"`."""
    functions = {
        f"{name}.{function.rstrip('_')}": getattr(module, function)
        for name, module in (("git", git), ("cmd", cmd))
        for function in dir(module)
        if callable(getattr(module, function)) and not function.startswith("_")
    }

    def run(rev, *, test=False, **options):
        call_context(functions=functions, opts={"test": test, "cachedir": str(tmp_path)})
        return detached(origin.url, rev, str(tmp_path / "checkout"), **options)

    return run


@pytest.fixture
def head(tmp_path):
    """Return a function that returns the commit that is checked out, None before."""

    def commit():
        if not (tmp_path / "checkout").exists():
            return None
        words = ["git", "rev-parse", "HEAD"]
        return subprocess.run(
            words, cwd=tmp_path / "checkout", check=True, capture_output=True, text=True
        ).stdout.strip()

    return commit


@pytest.mark.parametrize("rev", ["v1", "master"])
def test_a_tag_or_branch_is_checked_out_at_its_commit(state, origin, head, rev):
    ret = state(rev)

    assert ret["result"] is True
    assert head() == {"v1": origin.first, "master": origin.second}[rev]
    assert ret["changes"]["HEAD"] == {"old": None, "new": head()}
    assert state(rev)["changes"] == {}


def test_a_commit_that_is_here_needs_no_fetch(state, origin, head):
    state(origin.second)

    ret = state(origin.first.upper())

    assert head() == origin.first
    assert ret["changes"]["HEAD"] == {"old": origin.second, "new": origin.first}
    assert not any("fetched" in line for line in ret["comment"].splitlines())


def test_a_later_commit_is_fetched(state, origin, head):
    state("master")
    later = origin.commit(file="three")

    assert state("master")["result"] is True
    assert head() == later


@pytest.mark.parametrize("rev", ["nosuch", "f" * 40])
def test_a_revision_that_does_not_exist_is_a_failure(state, rev):
    ret = state(rev)

    assert (ret["result"], f"Revision '{rev}' does not exist" in ret["comment"]) == (False, True)


def test_in_test_mode_nothing_is_cloned(state, head):
    ret = state("v1", test=True)

    assert (ret["result"], head()) == (None, None)
    assert "would be cloned to" in ret["comment"]


@pytest.mark.parametrize(("rev", "words"), [("", "valid value for the 'rev'"), (None, "for the 'rev'")])
def test_a_revision_is_required(state, rev, words):
    ret = state(rev)

    assert ret["result"] is False and words in ret["comment"]


def test_local_changes_are_discarded_only_when_asked_for(state, origin, tmp_path):
    state("master")
    changed = tmp_path / "checkout" / "file"
    changed.write_text("mine")

    assert state("v1")["result"] is False
    assert changed.read_text() == "mine"
    assert state("v1", hard_reset=True)["result"] is True
    assert changed.read_text() == "one"
