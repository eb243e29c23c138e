"""The setting of signed trees: a mistake in it is an error and never disables the check."""

import pytest

from salt_g.errors import ConfigError
from salt_g.git.verify_rules import read_rules, rules_of


def rules(value, **opts):
    return read_rules(value, "gitfs_remotes, X", "gitfs_verify", opts)


@pytest.mark.parametrize("value", [None, False, {}])
def test_without_a_value_nothing_is_verified(value):
    assert rules(value) is None


def test_signers_are_one_file_or_several():
    assert rules({"signers": "/a"}).signers == ("/a",)
    assert rules([{"signers": ["/a", "/b"]}, {"allow_rollback": True}]) == (
        ("/a", "/b"),
        ("*",),
        "gitfs_verify",
        "",
        "",
    )


def test_rollbacks_are_allowed_by_pattern():
    found = rules({"signers": "/a", "allow_rollback": ["dev", "feature/*"]})

    assert [found.may_go_back(name) for name in ("dev", "feature/x", "master")] == [True, True, False]
    assert found.needs_history()
    assert not rules({"signers": "/a", "allow_rollback": True}).needs_history()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "verify must be written as"),
        ("/a", "verify must be written as"),
        ([], "needs 'signers'"),
        ({"signer": "/a"}, "unknown names signer; known: signers, allow_rollback"),
        ({"allow_rollback": True}, "needs 'signers'"),
        ({"signers": []}, "needs 'signers'"),
        ({"signers": 7}, "needs 'signers'"),
        ({"signers": "a"}, "needs a full path, not 'a'"),
        ({"signers": "/a", "allow_rollback": "dev"}, "allow_rollback must be true, false or a list"),
    ],
)
def test_mistakes_are_errors_with_their_place(value, expected):
    with pytest.raises(ConfigError, match=f"gitfs_remotes, X: .*{expected}"):
        rules(value)


def test_the_place_of_the_setting_is_file_and_line(tmp_path):
    conf = tmp_path / "master"
    conf.write_text("# x\ngitfs_verify:\n  signers: /a\n")

    found = rules({"signers": "/a"}, conf_file=str(conf), default_include="master.d/*.conf")

    assert found.where() == f"{conf}:2: gitfs_verify"
    assert rules({"signers": "/a"}).where() == "gitfs_verify"


def test_the_option_of_a_repository_wins_over_the_setting_of_all_if_it_has_a_value():
    opts = {"gitfs_verify": {"signers": "/all"}}

    def of(**own):
        return rules_of(own, opts, "here", listed_in="gitfs_remotes", default="gitfs_verify")

    assert of().signers == ("/all",)
    assert of(verify=None).signers == ("/all",)
    assert of(verify=False) is None
    assert of(verify={"signers": "/own"})[:3] == (("/own",), (), "gitfs_remotes")
