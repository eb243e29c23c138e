"""Settings of the branches of git pillar."""

import pytest

from salt_g.errors import ConfigError
from salt_g.pillar.git_branches import read_branches


def test_settings_of_a_repository_win_over_those_of_all():
    opts = {"git_pillar_user": "all", "git_pillar_password": "p", "git_pillar_ssl_verify": False}

    first, second = read_branches(
        [
            "master https://example.org/a",
            {"v1 https://example.org/b": [{"user": "me"}, {"ssl_verify": True}]},
        ],
        opts,
    )

    assert (first.source.access.user, first.source.access.ssl_verify, first.env) == ("all", False, "base")
    assert (second.source.access.user, second.source.access.ssl_verify, second.env) == ("me", True, "v1")
    assert second.source.access.password == "p"


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("https://example.org/x", "is not '<branch> <url>'"),
        ({"master https://me:secret@example.org/x": [{"rot": "a"}]}, "unknown options rot"),
        ({"master https://example.org/x": [{"root": "../a"}]}, "leaves the repository"),
        ("master --upload-pack=x", "not a valid repository URL"),
    ],
)
def test_malformed_settings_are_reported_without_passwords(item, words):
    with pytest.raises(ConfigError) as caught:
        read_branches([item], {})

    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "opts", "ref", "env"),
    [
        ("master", {}, "master", "base"),
        ("v1", {}, "v1", "v1"),
        ("main", {"git_pillar_base": "main"}, "main", "base"),
        ("v1", {"git_pillar_env": "prod"}, "v1", "prod"),
        ("__env__", {}, "master", "base"),
        ("__env__", {"git_pillar_branch": "main"}, "main", "base"),
        ("__env__", {"pillarenv": "dev", "saltenv": "qa"}, "dev", "dev"),
        ("__env__", {"saltenv": "qa"}, "qa", "qa"),
    ],
)
def test_a_branch_is_an_environment_or_follows_one(spec, opts, ref, env):
    (branch,) = read_branches([f"{spec} https://example.org/a"], opts)

    assert (branch.ref, branch.env) == (ref, env)


def test_a_commit_needs_the_whole_history():
    commit = "0123456789abcdef0123456789abcdef01234567"

    branches = read_branches(
        ["v1 https://example.org/a", f"{commit} https://example.org/a"], {"git_pillar_depth": 1}
    )

    assert [branch.source.depth for branch in branches] == [1, 0]


def test_signed_pillar_is_set_for_all_or_one_and_needs_the_history():
    opts = {"git_pillar_verify": {"signers": "/all"}, "git_pillar_depth": 1}

    first, second = read_branches(
        ["master https://example.org/a", {"master https://example.org/b": [{"verify": {"signers": "/own"}}]}],
        opts,
    )

    assert (first.source.verify.signers, first.source.verify.setting) == (("/all",), "git_pillar_verify")
    assert (second.source.verify.signers, second.source.verify.setting) == (("/own",), "ext_pillar")
    assert first.source.depth == 0
