"""Doctor's findings about signed trees."""

import pathlib

import pytest

from salt_g.doctor.finding import ERROR, GOOD, WARNING
from salt_g.doctor.signed_trees import check
from salt_g.files.git import GitFs
from salt_g.files.roots import RootsRules
from tests.support.signed_origins import SshSigner, needs_signing, signed_commit, write_signers

pytestmark = needs_signing


@pytest.fixture
def ann(tmp_path):
    return SshSigner(tmp_path, "ann")


@pytest.fixture
def origin(make_origin):
    return make_origin("origin")


@pytest.fixture
def opts(tmp_path, ann, origin):
    signers = write_signers(tmp_path / "signers", ann.line)
    remote = {origin.url: [{"name": "states"}]}
    return {
        "cachedir": str(tmp_path / "cache"),
        "fileserver_backend": ["roots", "git"],
        "gitfs_remotes": [remote],
        "gitfs_verify": {"signers": signers},
    }


def found(opts):
    return [(finding.level, finding.text) for finding in check(opts)]


def test_a_tree_at_its_signed_commit_is_well(opts, origin, ann):
    signed_commit(origin, ann, a="1")
    GitFs.from_opts(opts, RootsRules()).update()

    assert found(opts) == [(GOOD, "1 branches and tags are signed")]


def test_refused_branches_are_named_with_what_to_do(opts, origin):
    origin.commit(a="1")
    for name in ("b", "c", "d"):
        origin.git("branch", name)
    GitFs.from_opts(opts, RootsRules()).update()

    (finding,) = check(opts)

    assert finding.level == WARNING
    assert "branch b of states: commit" in finding.text and finding.text.endswith("and 1 more")
    assert finding.advice == "have a signer sign it"


def test_a_branch_that_went_back_may_be_released(opts, origin, ann):
    old = signed_commit(origin, ann, a="1")
    signed_commit(origin, ann, a="2")
    GitFs.from_opts(opts, RootsRules()).update()
    origin.git("reset", "--quiet", "--hard", old)
    GitFs.from_opts(opts, RootsRules()).update()

    (finding,) = check(opts)

    assert finding.advice == "if it is on purpose: salt-g run fileserver.release states branch/master"


def test_names_that_a_repository_chooses_are_quoted_for_a_shell(opts, origin, ann):
    old = signed_commit(origin, ann, a="1")
    signed_commit(origin, ann, a="2")
    origin.git("branch", "x;id")
    GitFs.from_opts(opts, RootsRules()).update()
    origin.git("branch", "--force", "x;id", old)
    GitFs.from_opts(opts, RootsRules()).update()

    (finding,) = check(opts)

    assert finding.advice.endswith("fileserver.release states 'branch/x;id'")


def test_a_signers_file_that_is_missing_is_an_error(opts):
    pathlib.Path(opts["gitfs_verify"]["signers"]).unlink()

    [(level, text)] = found(opts)

    assert level == ERROR
    assert "gitfs_verify: the signers' file" in text and "its branches do not advance" in text


def test_a_setting_that_cannot_be_read_is_an_error(opts):
    assert found({**opts, "gitfs_verify": {"signers": "here"}})[0][0] == ERROR


def test_hosts_without_repositories_have_nothing_to_check(opts):
    assert found({**opts, "fileserver_backend": ["roots"]}) == []
    assert found({**opts, "gitfs_verify": {}}) == []
