"""Clones of git pillar: one for each repository and cache directory, fetched when outdated."""

import shutil

import pytest

from salt_g.errors import ConfigError, FileServerError
from salt_g.git.source import RemoteSource
from salt_g.pillar import git_clones
from salt_g.pillar.git_clones import Clone, GitPillars, clone_of
from salt_g.process.command import which

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def origin(make_origin):
    made = make_origin("origin")
    made.commit(top_DOT_sls="{}")
    return made


@pytest.fixture
def clone(origin, tmp_path):
    return Clone(RemoteSource(origin.url), str(tmp_path / "clones"))


def head(clone):
    return clone.commit("master", ("branch",))


def test_a_repository_is_fetched_at_first_and_then_when_it_is_old(clone, origin):
    clone.fetch_if_older(60)
    first = head(clone)
    later = origin.commit(g_DOT_sls="g: 1")

    clone.fetch_if_older(60)
    assert head(clone) == first
    clone.fetch_if_older(0)
    assert head(clone) == later


def test_a_fetch_reports_whether_anything_changed(clone, origin):
    assert (clone.fetch(), clone.fetch()) == (True, False)
    origin.commit(g_DOT_sls="g: 1")
    assert clone.fetch() is True


def test_the_last_state_stays_when_a_fetch_fails(clone, origin, caplog):
    clone.fetch_if_older(60)
    first = head(clone)
    shutil.rmtree(origin.path)

    clone.fetch_if_older(0)

    assert head(clone) == first
    assert "git_pillar: fetch failed, using the last fetched state" in caplog.text


def test_a_repository_that_was_never_fetched_is_an_error_and_is_not_tried_at_once_again(
    tmp_path, make_origin
):
    clone = Clone(RemoteSource(f"file://{tmp_path}/late"), str(tmp_path / "clones"))
    with pytest.raises(FileServerError, match="git fetch"):
        clone.fetch_if_older(60)

    make_origin("late").commit(top_DOT_sls="{}")

    with pytest.raises(FileServerError, match="git fetch"):
        clone.fetch_if_older(60)
    assert clone.fetch() is True
    clone.fetch_if_older(60)


def test_one_clone_serves_all_pillars_of_a_cache_directory(origin, tmp_path):
    source = RemoteSource(origin.url)
    first = clone_of(source, {"cachedir": str(tmp_path)})

    assert clone_of(source, {"cachedir": str(tmp_path)}) is first
    assert clone_of(source, {"cachedir": str(tmp_path / "other")}) is not first


def test_the_oldest_of_too_many_clones_is_forgotten(tmp_path):
    opts = {"cachedir": str(tmp_path)}
    first = clone_of(RemoteSource("file:///first"), opts)

    for number in range(git_clones.MAX_CLONES):
        clone_of(RemoteSource(f"file:///{number}"), opts)

    assert clone_of(RemoteSource("file:///first"), opts) is not first


def test_the_shortest_interval_of_the_branches_counts(tmp_path):
    opts = {"cachedir": str(tmp_path), "git_pillar_update_interval": 30}

    listed = GitPillars({**opts, "ext_pillar": [{"git": "master https://example.org/a"}, {"other": 1}]})

    assert (listed.interval, GitPillars(opts).interval) == (30, None)


def test_a_lock_that_was_left_behind_is_removed_by_name(origin, tmp_path):
    opts = {"cachedir": str(tmp_path), "ext_pillar": [{"git": [f"master {origin.url}"]}]}
    pillars = GitPillars(opts)
    clone_of(RemoteSource(origin.url), opts).lock()

    assert pillars.clear_lock("file:///other") == []
    assert pillars.clear_lock(origin.url) == [f"Removed update lock for git_pillar remote '{origin.url}'"]
    assert pillars.clear_lock() == []


def test_settings_that_cannot_be_read_are_refused():
    with pytest.raises(ConfigError, match="is not '<branch> <url>'"):
        GitPillars({"cachedir": "/c", "ext_pillar": [{"git": ["https://example.org/a"]}]})
