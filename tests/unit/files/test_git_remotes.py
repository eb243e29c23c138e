"""Settings of served repositories: environments, references and folders of each."""

import pytest

from salt_g.errors import ConfigError
from salt_g.files.git_remotes import read_remotes

URL = "https://example.org/x.git"


def remote(*options, **settings):
    """Return a repository with these options, and these settings for all."""
    (made,) = read_remotes({"gitfs_remotes": [{URL: list(options)}], **settings})
    return made


def test_without_options_every_branch_is_an_environment():
    (found,) = read_remotes({"gitfs_remotes": [URL]})

    assert (found.ref_of("base"), found.ref_of("dev")) == ("master", "dev")
    assert (found.envs_of("master"), found.envs_of("dev")) == ({"base"}, {"dev"})
    assert found.place("dev") == ("", "")
    assert (found.interval, found.source.depth) == (60, 0)


def test_a_branch_may_be_several_environments():
    found = remote({"saltenv": [{"dev": [{"ref": "main"}]}, {"qa": [{"ref": "main"}]}]}, gitfs_base="main")

    assert found.envs_of("main") == {"base", "dev", "qa"}
    assert found.envs_of("dev") == {"dev"}


def test_without_a_mapping_only_named_environments_exist():
    found = remote({"disable_saltenv_mapping": True}, {"saltenv": [{"dev": [{"ref": "develop"}]}]})

    assert [found.ref_of(env) for env in ("base", "dev", "develop")] == ["master", "develop", ""]
    assert found.envs_of("feature") == set()


def test_one_reference_may_serve_all_environments():
    found = remote({"all_saltenvs": "main"}, {"saltenv": [{"dev": [{"ref": "develop"}]}]})

    assert {found.ref_of(env) for env in ("base", "dev", "any")} == {"main"}


def test_folders_of_an_environment_go_before_those_of_the_repository():
    found = remote(
        {"root": "/salt/"},
        {"mountpoint": "salt://m"},
        {"saltenv": [{"dev": [{"root": "dev/"}]}]},
        gitfs_saltenv=[{"dev": [{"mountpoint": "all"}]}, {"qa": [{"root": ""}]}],
    )

    assert found.place("base") == ("salt", "m")
    assert found.place("dev") == ("dev", "all")
    assert found.place("qa") == ("", "m")


def test_lists_hide_environments():
    found = remote({"saltenv_whitelist": "base, v*"}, gitfs_saltenv_blacklist=["v1"])

    assert [found.exposes(env) for env in ("base", "v1", "v2", "dev")] == [True, False, True, False]


def test_a_commit_needs_all_history():
    commit = "0" * 40

    assert remote({"depth": "3"}).source.depth == 3
    for option in ({"base": commit}, {"fallback": commit}, {"saltenv": [{"v1": [{"ref": commit}]}]}):
        assert remote({"depth": 3}, option).source.depth == 0


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("-x", "not a valid repository URL"),
        ({}, "not a valid repository URL"),
        ({URL: ["name"]}, "options must be written as 'name: value', not 'name'"),
        ({URL: "name"}, "options must be written as 'name: value', not 'name'"),
        ({URL: [{"saltenv": [{"dev": ["main"]}]}]}, "options must be written as 'name: value', not 'main'"),
        ({URL: [{"saltenv": "dev"}]}, "settings of an environment"),
        ({URL: [{"depth": "deep"}]}, "depth must be a number, not 'deep'"),
        ({URL: [{"update_interval": -1}]}, "update_interval must not be negative; -1 is invalid"),
        ({URL: [{"update_interval": [1]}]}, r"update_interval must be a number, not \[1\]"),
        ({URL: [{"mountpoint": "a/../.."}]}, "leaves the repository"),
        ({URL: [{"ref": "main"}]}, "unknown options ref"),
    ],
)
def test_settings_without_a_meaning_are_reported(item, problem):
    with pytest.raises(ConfigError, match=problem):
        read_remotes({"gitfs_remotes": [item]})


def test_a_problem_is_reported_without_the_password():
    with pytest.raises(ConfigError) as refused:
        read_remotes({"gitfs_remotes": [{"https://me:secret@example.org/x.git": [{"no": 1}]}]})

    assert "secret" not in str(refused.value)


def test_signed_trees_are_set_for_all_or_one_and_need_the_history():
    opts = {"gitfs_verify": {"signers": "/all"}, "gitfs_depth": 1}
    off, own = (
        {URL: [{"verify": False}]},
        {URL: [{"verify": [{"signers": "/own"}, {"allow_rollback": True}]}]},
    )

    first, second, third = read_remotes({**opts, "gitfs_remotes": [URL, off, own]})

    assert (first.source.verify.signers, first.source.depth) == (("/all",), 0)
    assert (second.source.verify, second.source.depth) == (None, 1)
    assert (third.source.verify.signers, third.source.depth) == (("/own",), 1)
    with pytest.raises(ConfigError, match="verify needs 'signers'"):
        read_remotes({"gitfs_remotes": [{URL: [{"verify": {"allow_rollback": True}}]}]})


def test_refs_of_hidden_environments_are_not_used():
    (remote,) = read_remotes(
        {"gitfs_remotes": [{URL: [{"saltenv_whitelist": "base,prod"}, {"fallback": "last"}]}]}
    )

    assert [remote.uses(ref) for ref in ("master", "prod", "last", "dev")] == [True, True, True, False]
