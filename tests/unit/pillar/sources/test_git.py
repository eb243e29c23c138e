"""Pillar from real, local git repositories."""

import os
import pathlib
import shutil
import threading
import time

import pytest

from salt_g.git.checkouts import UNUSED
from salt_g.git.source import RemoteSource
from salt_g.pillar import git_clones
from salt_g.pillar.git_clones import GitPillars, clone_of
from salt_g.process.command import which
from tests.support.signed_origins import SshSigner, signed_commit, write_signers

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")

TOP = "{}:\n  '*':\n    - {}\n"


@pytest.fixture
def origin(make_origin):
    made = make_origin("origin")
    made.commit(top_DOT_sls=TOP.format("base", "g"), g_DOT_sls="g: 1")
    return made


@pytest.fixture
def pillar_of(compile_pillar):
    """Return a function that returns the pillar of repositories, on a masterless machine by default."""

    def compiled(*listed, **opts):
        return compile_pillar({}, opts={"__role": "minion", "ext_pillar": [{"git": list(listed)}], **opts})

    return compiled


@pytest.fixture
def updates(tmp_path):
    """Return a function that makes the updater of a master's repositories."""
    return lambda *listed: GitPillars(
        {"cachedir": str(tmp_path / "cache"), "ext_pillar": [{"git": list(listed)}]}
    )


def test_the_tree_of_a_branch_and_its_folder(make_origin, pillar_of):
    origin = make_origin("o")
    origin.commit(sub__top_DOT_sls=TOP.format("base", "g"), sub__g_DOT_sls="g: 1")

    assert pillar_of({f"master {origin.url}": [{"root": "sub"}]}) == {"g": 1}
    assert pillar_of(f"master {origin.url}", git_pillar_root="sub") == {"g": 1}


def test_a_machine_without_a_master_sees_what_was_pushed_and_goes_on_without_the_server(origin, pillar_of):
    assert pillar_of(f"master {origin.url}") == {"g": 1}
    origin.commit(g_DOT_sls="g: 2")
    assert pillar_of(f"master {origin.url}") == {"g": 2}

    shutil.rmtree(origin.path)

    assert pillar_of(f"master {origin.url}") == {"g": 2}


def test_a_master_fetches_by_its_clock_and_not_for_each_pillar(origin, pillar_of, updates):
    listed = f"master {origin.url}"
    assert pillar_of(listed, __role="master") == {"g": 1}
    origin.commit(g_DOT_sls="g: 2")
    assert pillar_of(listed, __role="master") == {"g": 1}

    assert updates(listed).interval == 60
    assert updates(listed).update() == {origin.url: True}
    assert updates(listed).update() == {origin.url: None}

    assert pillar_of(listed, __role="master") == {"g": 2}


def test_updates_select_backends_and_report_failures(origin, tmp_path, updates, caplog):
    gone = f"file://{tmp_path}/gone"
    both = updates({f"master {origin.url}": [{"name": "here"}]}, f"dev {gone}")

    assert both.update() == {"here": True, gone: False}
    assert "gone" in caplog.text
    assert both.update("master") == {"here": None}
    assert both.update(repository="here") == {"here": None}
    assert both.update(repository=gone) == {gone: False}
    assert both.update("nope") == {}
    assert updates().interval is None


def test_a_second_caller_waits_for_the_first_fetch(origin, tmp_path):
    clone = clone_of(RemoteSource(origin.url), {"cachedir": str(tmp_path / "cache")})
    found = []

    def look():
        clone.fetch_if_older(60)
        found.append(clone.commit("master", ("branch",)))

    several = [threading.Thread(target=look) for _ in range(4)]
    for one in several:
        one.start()
    for one in several:
        one.join()

    assert found == [origin.git("rev-parse", "HEAD")] * 4


def test_a_missing_repository_is_an_error(pillar_of, tmp_path):
    gone = pillar_of(f"master file://{tmp_path}/nope")

    assert "Failed to load ext_pillar git:" in gone["_errors"][0] and "git fetch:" in gone["_errors"][0]


def test_a_missing_branch_is_logged_and_left_out(origin, pillar_of, caplog):
    assert pillar_of(f"nope {origin.url}", f"master {origin.url}") == {"g": 1}
    assert f"{origin.url} has no branch, tag or commit 'nope'" in caplog.text


def test_trees_of_one_environment_include_from_each_other_below_mount_points(origin, make_origin, pillar_of):
    origin.commit(g_DOT_sls="include:\n  - shared.more\n  - plain\ng: 1")
    mounted, plain = make_origin("mounted"), make_origin("plain")
    mounted.commit(more_DOT_sls="more: 2", top_DOT_sls="base: {}")
    plain.commit(plain_DOT_sls="plain: 3", top_DOT_sls="base: {}")
    listed = (
        f"master {origin.url}",
        {f"master {mounted.url}": [{"mountpoint": "shared"}]},
        f"master {plain.url}",
    )

    assert pillar_of(*listed) == {"g": 1, "more": 2, "plain": 3}
    assert "_errors" in pillar_of(*listed, git_pillar_includes=False)


def test_branches_are_environments_and_one_may_follow_the_environment_of_pillar(origin, pillar_of):
    origin.git("checkout", "--quiet", "-b", "dev")
    origin.commit(top_DOT_sls=TOP.format("dev", "g"), g_DOT_sls="g: dev")
    by_env = {f"__env__ {origin.url}": [{"fallback": "master"}]}

    assert pillar_of(f"master {origin.url}", f"dev {origin.url}") == {"g": "dev"}
    assert pillar_of(f"master {origin.url}", f"dev {origin.url}", pillarenv="base") == {"g": 1}
    assert pillar_of({f"dev {origin.url}": [{"env": "base"}]}, pillarenv="base") == {}
    assert pillar_of(by_env) == {"g": 1}
    assert pillar_of(by_env, pillarenv="dev") == {"g": "dev"}
    assert pillar_of(by_env, pillarenv="other") == {}


def test_long_unused_folders_of_old_commits_are_removed(origin, pillar_of, tmp_path):
    pillar_of(f"master {origin.url}")
    [old] = (tmp_path / "cache/git_pillar").glob("*/trees/*")
    origin.commit(g_DOT_sls="g: 2")
    pillar_of(f"master {origin.url}")
    assert old.exists()

    long_ago = time.time() - UNUSED - 1
    os.utime(old, (long_ago, long_ago))
    origin.commit(g_DOT_sls="g: 3")

    assert pillar_of(f"master {origin.url}") == {"g": 3}
    assert not old.exists()
    assert len(list((tmp_path / "cache/git_pillar").glob("*/trees/*"))) == 2


def test_the_cache_is_private(origin, pillar_of, tmp_path):
    pillar_of(f"master {origin.url}")

    top = pathlib.Path(tmp_path / "cache/git_pillar")
    assert top.stat().st_mode & 0o077 == 0


def test_pillar_is_that_of_the_last_signed_commit(make_origin, tmp_path, pillar_of, updates, caplog):
    ann = SshSigner(tmp_path, "ann")
    verify = {"signers": write_signers(tmp_path / "signers", ann.line)}
    origin = make_origin("signed")
    origin.commit(top_DOT_sls=TOP.format("base", "g"), g_DOT_sls="g: 0")
    listed = {f"master {origin.url}": [{"verify": verify}]}

    unsigned = pillar_of(listed)
    # Another process; this one waits before it fetches again.
    git_clones._clones.clear()
    signed_commit(origin, ann, g_DOT_sls="g: 1")
    signed = pillar_of(listed)
    origin.commit(g_DOT_sls="g: 2")
    later = pillar_of(listed)

    assert (unsigned, signed, later) == ({}, {"g": 1}, {"g": 1})
    assert "nothing of it is served" in caplog.text
    assert [one.ref for one in updates(listed).refused()] == ["branch/master"]


def test_a_pillar_without_a_signed_commit_is_not_fetched_for_each_minion(make_origin, tmp_path, pillar_of):
    ann = SshSigner(tmp_path, "ann")
    verify = {"signers": write_signers(tmp_path / "signers", ann.line)}
    origin = make_origin("signed")
    origin.commit(top_DOT_sls=TOP.format("base", "g"), g_DOT_sls="g: 0")
    listed = {f"master {origin.url}": [{"verify": verify}]}
    pillar_of(listed, __role="master")
    [fetched] = (tmp_path / "cache/git_pillar").glob("*/repository.git/FETCH_HEAD")
    before = fetched.stat().st_mtime_ns

    for _ in range(3):
        pillar_of(listed, __role="master")

    assert fetched.stat().st_mtime_ns == before


def test_a_released_branch_of_pillar_takes_an_older_signed_commit(make_origin, tmp_path, updates):
    ann = SshSigner(tmp_path, "ann")
    verify = {"signers": write_signers(tmp_path / "signers", ann.line)}
    origin = make_origin("signed")
    old = signed_commit(origin, ann, a="1")
    signed_commit(origin, ann, a="2")
    pillars = updates({f"master {origin.url}": [{"verify": verify}]})
    pillars.update()
    origin.git("reset", "--quiet", "--hard", old)
    pillars.update()

    assert pillars.release(origin.url, "branch/master")
    pillars.update()
    assert pillars.refused() == []
    assert pillars.repositories()[0].refs() == {"branch/master": old}
