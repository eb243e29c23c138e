"""Commits that are kept, and their ancestry."""

import subprocess

import pytest

from salt_g.git.history import CloneHistory
from salt_g.process.command import run


@pytest.fixture
def origin(make_origin):
    return make_origin("origin")


@pytest.fixture
def history(origin):
    return CloneHistory(lambda *words, stdin=None: run(["git", *words], cwd=str(origin.path), stdin=stdin))


def test_exactly_the_given_commits_are_kept(origin, history):
    first, second = origin.commit(a="1"), origin.commit(a="2")

    history.pin({first})
    history.pin({second, "0" * 40})

    assert history.pinned() == {second}


def test_nothing_but_commits_is_kept(origin, history):
    tree = origin.git("rev-parse", origin.commit(a="1") + "^{tree}")

    history.pin({tree})

    assert history.pinned() == set()


def test_a_commit_descends_from_earlier_ones_and_itself(origin, history):
    first, second = origin.commit(a="1"), origin.commit(a="2")

    assert history.descends(second, first) and history.descends(first, first)
    assert not history.descends(first, second)
    assert not history.descends(second, "0" * 40)


def test_a_directory_that_is_no_repository_keeps_nothing(tmp_path):
    history = CloneHistory(lambda *words, stdin=None: run(["git", *words], cwd=str(tmp_path), stdin=stdin))

    assert history.pinned() == set()
    assert subprocess.run(["git", "--version"], capture_output=True).returncode == 0
