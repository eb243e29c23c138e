"""Repositories as file environments; the repositories are real and local."""

import os
import pathlib
import stat

import pytest

from salt_g.errors import ConfigError
from salt_g.files.backend_chain import Backends
from salt_g.files.client import LocalFileClient
from salt_g.files.git import GitFs
from salt_g.files.git_remotes import read_remotes
from salt_g.files.roots import RootsRules
from salt_g.files.server import FileServer
from salt_g.git.source import RemoteSource
from salt_g.process.command import which
from tests.support.signed_origins import SshSigner, signed_commit, write_signers

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def origin(make_origin):
    made = make_origin("origin")
    made.commit(top_DOT_sls="base", salt__web__init_DOT_sls="web")
    return made


def served(tmp_path, *remotes, rules=None):
    opts = {"gitfs_remotes": list(remotes), "cachedir": str(tmp_path / "cache")}
    backend = GitFs.from_opts(opts, rules or RootsRules())
    backend.update()
    return backend


def text_of(backend, path, saltenv="base"):
    found = backend.find(path, saltenv)
    return found and pathlib.Path(found.path).read_text()


def test_branches_and_tags_are_environments_and_the_base_is_base(origin, tmp_path):
    origin.git("tag", "v1")
    origin.git("checkout", "--quiet", "-b", "dev")
    origin.commit(top_DOT_sls="dev")

    backend = served(tmp_path, origin.url)

    assert backend.envs() == ["base", "dev", "v1"]
    assert text_of(backend, "top.sls") == "base"
    assert text_of(backend, "top.sls", "dev") == "dev"
    assert text_of(backend, "top.sls", "v1") == "base"
    assert text_of(backend, "top.sls", "nope") is None


def test_a_commit_is_an_environment_when_its_name_is_given(origin, tmp_path):
    first = origin.git("rev-parse", "HEAD")
    origin.commit(top_DOT_sls="newer")

    backend = served(tmp_path, origin.url)

    assert text_of(backend, "top.sls") == "newer"
    assert text_of(backend, "top.sls", first) == "base"


def test_a_listing_has_files_directories_and_links(origin, tmp_path):
    (origin.path / "salt" / "link").symlink_to("web/init.sls")
    origin.commit()

    listing = served(tmp_path, origin.url).listing("base")

    assert listing.files == ("salt/link", "salt/web/init.sls", "top.sls")
    assert listing.directories == ("salt", "salt/web")
    assert listing.links == {"salt/link": "web/init.sls"}


def test_a_folder_is_served_below_a_mount_point(origin, tmp_path):
    backend = served(tmp_path, {origin.url: [{"root": "salt"}, {"mountpoint": "salt://from/git"}]})

    assert text_of(backend, "from/git/web/init.sls") == "web"
    assert text_of(backend, "web/init.sls") is None
    assert text_of(backend, "top.sls") is None
    assert backend.listing("base").files == ("from/git/web/init.sls",)
    assert backend.listing("base").directories == ("from/git", "from/git/web")


def test_links_lead_no_further_than_the_served_folder(origin, tmp_path):
    (origin.path / "salt" / "inside").symlink_to("web/init.sls")
    (origin.path / "salt" / "beside").symlink_to("../top.sls")
    (origin.path / "salt" / "absolute").symlink_to("/etc/hostname")
    (origin.path / "salt" / "circle").symlink_to("circle")
    origin.commit()

    backend = served(tmp_path, {origin.url: [{"root": "salt"}]})

    assert text_of(backend, "inside") == "web"
    assert [backend.find(name, "base") for name in ("beside", "absolute", "circle")] == [None] * 3
    assert backend.listing("base").files == ("inside", "web/init.sls")


@pytest.mark.parametrize("path", ["../config", "salt/../top.sls", "/top.sls", "", ".", ".git/config", "salt"])
def test_only_files_of_the_tree_are_found(origin, tmp_path, path):
    assert served(tmp_path, origin.url).find(path, "base") is None


@pytest.mark.parametrize("saltenv", ["--output=x", "HEAD", "refs/heads/master", "master:salt", "", "../x"])
def test_only_branches_and_tags_are_environments(origin, tmp_path, saltenv):
    backend = served(tmp_path, origin.url)

    assert backend.find("top.sls", saltenv) is None
    assert backend.listing(saltenv).files == ()


def test_the_mode_of_a_file_is_that_of_the_tree(origin, tmp_path):
    script = origin.path / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    origin.commit()

    found = served(tmp_path, origin.url).find("run.sh", "base")

    assert stat.S_IMODE(found.mode) == 0o755
    assert os.stat(found.path).st_mode & 0o777 == 0o600


def test_an_update_brings_new_commits_and_reports_them(origin, tmp_path):
    backend = served(tmp_path, {origin.url: [{"name": "states"}]})
    origin.commit(top_DOT_sls="newer")

    not_due = backend.update()
    forced = backend.update(["states"])
    again = backend.update(["states"])

    assert (not_due.changed, forced.changed, again.changed) == (False, True, False)
    assert text_of(backend, "top.sls") == "newer"


def test_a_branch_that_is_gone_is_not_an_environment_any_more(origin, tmp_path):
    origin.git("branch", "dev")
    backend = served(tmp_path, origin.url)
    origin.git("branch", "--delete", "dev")

    backend.update([origin.url])

    assert backend.envs() == ["base"]


def test_the_last_state_is_served_while_the_origin_is_away(origin, tmp_path):
    backend = served(tmp_path, origin.url)
    origin.path.rename(tmp_path / "moved")

    changed = backend.update([origin.url])

    assert not changed.changed
    assert text_of(backend, "top.sls") == "base"


def test_lists_and_kinds_choose_the_environments(origin, tmp_path):
    for name in ("dev", "prod", "test"):
        origin.git("branch", name)
    origin.git("tag", "v1")

    listed = served(
        tmp_path, {origin.url: [{"saltenv_whitelist": "base,p*,t*"}, {"saltenv_blacklist": "test"}]}
    )
    branches = served(tmp_path, {origin.url: [{"ref_types": ["branch"]}]})

    assert listed.envs() == ["base", "prod"]
    assert text_of(listed, "top.sls", "dev") is None
    assert branches.envs() == ["base", "dev", "prod", "test"]


def test_an_environment_may_have_its_own_reference_folder_and_mount_point(origin, tmp_path):
    origin.git("checkout", "--quiet", "-b", "develop")
    origin.commit(salt__web__init_DOT_sls="dev web")
    dev = [{"ref": "develop"}, {"root": "salt"}, {"mountpoint": "m"}]

    backend = served(tmp_path, {origin.url: [{"saltenv": [{"dev": dev}]}]})

    assert backend.envs() == ["base", "dev"]
    assert text_of(backend, "m/web/init.sls", "dev") == "dev web"
    assert text_of(backend, "salt/web/init.sls", "base") == "web"


def test_without_mapping_only_configured_environments_are_there(origin, tmp_path):
    origin.git("branch", "dev")
    origin.git("branch", "other")
    options = [{"disable_saltenv_mapping": True}, {"saltenv": [{"test": [{"ref": "dev"}]}]}]

    assert served(tmp_path, {origin.url: options}).envs() == ["base", "test"]


def test_one_reference_may_serve_all_environments(origin, make_origin, tmp_path):
    other = make_origin("other")
    other.commit(common_DOT_sls="common")
    origin.git("branch", "dev")

    backend = served(tmp_path, origin.url, {other.url: [{"all_saltenvs": "master"}]})

    assert text_of(backend, "common.sls", "dev") == "common"
    assert text_of(backend, "common.sls", "unknown") is None


def test_a_missing_branch_may_fall_back(origin, tmp_path):
    backend = served(tmp_path, {origin.url: [{"fallback": "master"}]})

    assert text_of(backend, "top.sls", "feature") == "base"


def test_the_first_repository_with_a_file_wins(origin, make_origin, tmp_path):
    other = make_origin("other")
    other.commit(top_DOT_sls="other", more_DOT_sls="more")

    backend = served(tmp_path, origin.url, other.url)

    assert text_of(backend, "top.sls") == "base"
    assert text_of(backend, "more.sls") == "more"


def test_ignored_names_are_not_there(origin, tmp_path):
    backend = served(tmp_path, origin.url, rules=RootsRules(ignore_glob=("*/init.sls",)))

    assert backend.find("salt/web/init.sls", "base") is None
    assert backend.listing("base").files == ("top.sls",)


def test_a_lock_keeps_updates_away_until_it_is_cleared(origin, tmp_path):
    backend = served(tmp_path, origin.url)
    locked = backend.lock()
    origin.commit(top_DOT_sls="newer")

    kept_away = backend.update([origin.url])
    cleared = backend.clear_lock()
    updated = backend.update([origin.url])

    assert locked == ([f"Set update lock for gitfs remote '{origin.url}'"], [])
    assert cleared == ([f"Removed update lock for gitfs remote '{origin.url}'"], [])
    assert (kept_away.changed, updated.changed) == (False, True)


def test_the_lock_of_a_process_that_is_gone_is_taken(origin, tmp_path):
    backend = served(tmp_path, origin.url)
    backend.lock()
    for lock in (tmp_path / "cache/gitfs").glob("*/update.lk"):
        lock.write_text("4194999")
    origin.commit(top_DOT_sls="newer")

    assert backend.update([origin.url]).changed


def test_a_cleared_cache_is_fetched_again(origin, tmp_path):
    backend = served(tmp_path, origin.url)

    problems = backend.clear_cache()
    empty = backend.find("top.sls", "base")
    backend.update()

    assert problems == [] and empty is None
    assert text_of(backend, "top.sls") == "base"


def test_names_with_odd_characters_are_served_as_they_are(origin, tmp_path):
    (origin.path / "ä b\nc?.txt").write_text("odd")
    origin.commit()

    backend = served(tmp_path, origin.url)

    assert text_of(backend, "ä b\nc?.txt") == "odd"
    assert "ä b\nc?.txt" in backend.listing("base").files


def test_settings_of_a_remote_go_before_those_of_all():
    opts = {
        "gitfs_base": "main",
        "gitfs_depth": 1,
        "gitfs_saltenv": [{"dev": [{"ref": "develop"}, {"mountpoint": "a"}]}],
        "gitfs_remotes": [
            "https://example.org/a.git",
            {"https://example.org/b.git": [{"base": "trunk"}, {"saltenv": [{"dev": [{"mountpoint": "b"}]}]}]},
        ],
    }

    first, second = read_remotes(opts)

    assert (first.base, second.base) == ("main", "trunk")
    assert second.overlays == {"dev": {"ref": "develop", "mountpoint": "b"}}
    assert first.place("dev") == ("", "a")
    assert second.ref_of("base") == "trunk" and second.ref_of("dev") == "develop"


@pytest.mark.parametrize(
    "remote",
    [
        "--upload-pack=evil",
        "",
        {"https://example.org/x": [{"nonsense": 1}]},
        {"https://example.org/x": [{"root": "../.."}]},
        {"https://example.org/x": [{"saltenv": ["dev"]}]},
    ],
)
def test_settings_that_cannot_be_meant_are_refused(remote):
    with pytest.raises(ConfigError):
        read_remotes({"gitfs_remotes": [remote]})


def test_a_remote_shows_itself_without_its_password():
    assert "secret" not in str(RemoteSource("https://me:secret@example.org/x.git"))


def test_a_machine_without_a_master_serves_itself_from_repositories(origin, tmp_path):
    opts = {
        "cachedir": str(tmp_path / "cache"),
        "fileserver_backend": ["roots", "git"],
        "file_roots": {"base": [str(tmp_path / "none")]},
        "gitfs_remotes": [origin.url],
    }
    client = LocalFileClient(opts)
    origin.commit(top_DOT_sls="newer")

    path = client.cache_file("salt://top.sls")
    again = LocalFileClient(opts).cache_file("salt://top.sls")

    assert pathlib.Path(path).read_text() == "base"
    assert again == path and pathlib.Path(again).read_text() == "base"
    assert stat.S_IMODE(client.stat_file("salt://top.sls").st_mode) == 0o644
    assert "salt/web/init.sls" in client.list_files()


def test_an_ordered_update_fetches_what_is_not_due(origin, tmp_path):
    server = FileServer(Backends([served(tmp_path, origin.url)]), piece_size=1000)
    newest = origin.commit(top_DOT_sls="newer")

    assert server.update()
    assert text_of(server.backends, "top.sls", newest) == "newer"
    assert text_of(server.backends, "top.sls") == "newer"


def test_refusals_of_signed_trees_are_reported_with_each_update_and_released(origin, tmp_path):
    ann = SshSigner(tmp_path, "ann")
    signers = write_signers(tmp_path / "signers", ann.line)
    old = signed_commit(origin, ann, top_DOT_sls="old")
    signed_commit(origin, ann, top_DOT_sls="new")
    backend = served(tmp_path, {origin.url: [{"verify": {"signers": signers}}, {"name": "states"}]})
    origin.git("reset", "--quiet", "--hard", old)
    server = FileServer(Backends([backend]), piece_size=1000)

    result = backend.update(["states"]).refused
    before = text_of(backend, "top.sls")
    released = server.release("states", "branch/master"), server.release("states", "branch/x")
    server.update()

    assert [(one.remote, one.ref) for one in result] == [("states", "branch/master")]
    assert (before, text_of(backend, "top.sls")) == ("new", "old")
    assert released == (True, False)
    assert server.refused() == []


def test_branches_that_are_no_environment_need_no_signature(origin, tmp_path):
    ann = SshSigner(tmp_path, "ann")
    signers = write_signers(tmp_path / "signers", ann.line)
    signed_commit(origin, ann, top_DOT_sls="signed")
    origin.git("checkout", "--quiet", "-b", "dev")
    origin.commit(top_DOT_sls="dev")
    options = [{"verify": {"signers": signers}}, {"saltenv_whitelist": "base"}]

    backend = served(tmp_path, {origin.url: options})

    assert backend.envs() == ["base"]
    assert backend.refused() == []
    assert text_of(backend, "top.sls") == "signed"
