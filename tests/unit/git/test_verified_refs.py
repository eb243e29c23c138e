"""Refs that advance only to signed commits: real repositories, keys and programs."""

import json
import os
import pathlib
import stat

import pytest

from salt_g.git.repository import Repository
from tests.support.signed_origins import GpgSigner, needs_signing, signed_commit, signed_tag, write_signers

pytestmark = needs_signing
MASTER = "branch/master"


@pytest.fixture
def origin(make_origin):
    return make_origin("origin")


@pytest.fixture
def gpg_signer(tmp_path):
    made = GpgSigner(tmp_path, "bob")
    yield made
    made.close()


def reasons(repository):
    return {refused.ref: refused.reason for refused in repository.refused()}


def again(repository, tmp_path):
    """Return the same clone in another process."""
    return Repository(repository.source, str(tmp_path / "clones"))


def test_a_signed_commit_is_served(origin, ann, verified):
    commit = signed_commit(origin, ann, a="1")

    repository = verified(origin)

    assert repository.refs() == {MASTER: commit}
    assert repository.refused() == []


def test_without_a_signed_commit_nothing_is_served(origin, verified):
    origin.commit(a="1")

    repository = verified(origin)

    assert repository.refs() == {}
    assert reasons(repository) == {MASTER: "it has no signature"}


def test_a_commit_by_another_signer_leaves_the_signed_one(origin, ann, eve, verified, caplog):
    signed = signed_commit(origin, ann, a="1")
    repository = verified(origin)
    refused = signed_commit(origin, eve, a="2")

    assert [repository.update() for _ in range(2)] == [False, False]
    assert repository.refs() == {MASTER: signed}
    assert "is not in the signers' file" in reasons(repository)[MASTER]
    (record,) = [record for record in caplog.records if refused in record.getMessage()]
    assert f"{signed[:12]} stays served" in record.getMessage()


def test_a_signed_commit_after_an_unsigned_one_counts_for_both(origin, ann, verified):
    signed_commit(origin, ann, a="1")
    repository = verified(origin)
    origin.commit(a="2")
    repository.update()
    newest = signed_commit(origin, ann, a="3")

    assert repository.update()
    assert repository.refs() == {MASTER: newest}
    assert repository.refused() == []


def test_keys_of_openpgp_count_as_well(origin, ann, gpg_signer, signers, tmp_path, verified):
    keys = write_signers(tmp_path / "keys.asc", gpg_signer.public)
    first = signed_commit(origin, gpg_signer, a="1")
    repository = verified(origin, signers=[signers, keys])
    served = repository.refs()
    second = signed_commit(origin, ann, a="2")

    repository.update()

    assert served == {MASTER: first}
    assert repository.refs() == {MASTER: second}


def test_a_key_of_the_users_keyring_counts_nothing(origin, gpg_signer, verified, monkeypatch):
    monkeypatch.setenv("GNUPGHOME", str(gpg_signer.home))
    signed_commit(origin, gpg_signer, a="1")

    repository = verified(origin)

    assert repository.refs() == {}
    assert "is not in the signers' file" in reasons(repository)[MASTER]


def test_signers_of_the_users_git_config_count_nothing(origin, eve, tmp_path, verified, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    allowed = write_signers(home / "allowed", eve.line)
    (home / ".gitconfig").write_text(f'[gpg]\nprogram = true\n[gpg "ssh"]\nallowedSignersFile = {allowed}\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    signed_commit(origin, eve, a="1")

    assert verified(origin).refs() == {}


def test_an_older_signed_commit_is_refused(origin, ann, tmp_path, verified):
    old = signed_commit(origin, ann, a="1")
    new = signed_commit(origin, ann, a="2")
    repository = verified(origin)
    origin.git("reset", "--quiet", "--hard", old)

    repository.update()

    assert repository.refs() == {MASTER: new}
    assert "does not descend" in reasons(repository)[MASTER]
    assert again(repository, tmp_path).refs() == {MASTER: new}


def test_a_repository_that_is_fetched_anew_brings_no_older_commit(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    signed_commit(origin, ann, a="2")
    repository = verified(origin)
    origin.git("reset", "--quiet", "--hard", old)

    repository.clear_cache()
    repository.update()

    assert repository.refs() == {}
    assert "does not descend" in reasons(repository)[MASTER]


def test_a_ref_that_vanishes_stays_and_brings_no_older_commit(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    origin.git("branch", "prod")
    origin.git("checkout", "--quiet", "prod")
    prod = signed_commit(origin, ann, a="2")
    origin.git("checkout", "--quiet", "master")
    repository = verified(origin)
    origin.git("branch", "--quiet", "-D", "prod")
    repository.update()
    gone = repository.refs(), reasons(repository)
    origin.git("branch", "prod", old)
    repository.update()

    assert gone == ({MASTER: old, "branch/prod": prod}, {"branch/prod": "the repository no longer has it"})
    assert repository.refs()["branch/prod"] == prod


def test_served_commits_are_not_removed_by_git(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    new = signed_commit(origin, ann, a="2")
    repository = verified(origin)
    origin.git("reset", "--quiet", "--hard", old)
    repository.update()

    repository._run("gc", "--prune=now", "--quiet")

    assert pathlib.Path(repository.content(repository.tree(new)["a"].sha)).read_text() == "2"


def test_rollbacks_that_are_allowed_are_followed(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    origin.git("branch", "feature/x")
    origin.git("branch", "feature/y")
    signed_commit(origin, ann, a="2")
    origin.git("branch", "--force", "feature/x")
    repository = verified(origin, allow_rollback=["feature/*"])
    origin.git("branch", "--force", "feature/x", old)
    origin.git("branch", "--quiet", "-D", "feature/y")

    repository.update()

    assert repository.refs()["branch/feature/x"] == old
    assert "branch/feature/y" not in repository.refs()


def test_a_released_ref_takes_any_signed_commit_once(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    signed_commit(origin, ann, a="2")
    repository = verified(origin)
    origin.git("reset", "--quiet", "--hard", old)
    repository.update()

    released = repository.release(MASTER), repository.release("branch/none")
    repository.update()

    assert released == (True, False)
    assert repository.refs() == {MASTER: old}


def test_a_released_ref_stays_until_there_is_a_signed_commit(origin, ann, verified):
    old = signed_commit(origin, ann, a="1")
    new = signed_commit(origin, ann, a="2")
    repository = verified(origin)
    origin.git("reset", "--quiet", "--hard", old)
    origin.commit(a="3")
    repository.update()

    assert repository.release(MASTER)
    repository.update()
    unsigned = repository.refs()
    origin.git("reset", "--quiet", "--hard", old)
    repository.update()
    signed = repository.refs()
    origin.git("reset", "--quiet", "--hard", new)
    repository.update()
    origin.git("reset", "--quiet", "--hard", old)
    repository.update()

    assert (unsigned, signed) == ({MASTER: new}, {MASTER: old})
    assert repository.refs() == {MASTER: new}


def test_a_released_ref_may_vanish(origin, ann, verified):
    signed_commit(origin, ann, a="1")
    origin.git("branch", "prod")
    repository = verified(origin)
    origin.git("branch", "--quiet", "-D", "prod")

    assert repository.release("branch/prod")
    repository.update()

    assert list(repository.refs()) == [MASTER] and reasons(repository) == {}


def test_a_signed_tag_is_served_under_its_own_name_only(origin, ann, verified):
    commit = origin.commit(a="1")
    origin.git("checkout", "--quiet", "--detach")
    signed_tag(origin, ann, "v1")
    origin.git("branch", "--quiet", "-D", "master")
    origin.git("update-ref", "refs/tags/v2", origin.git("rev-parse", "refs/tags/v1"))
    origin.git("tag", "light")

    repository = verified(origin)

    assert repository.refs() == {"tag/v1": commit}
    assert reasons(repository) == {
        "tag/light": "it has no signature",
        "tag/v2": "it has no signature, and its tag object names the tag 'v1'",
    }


def test_tags_of_something_else_are_refused(origin, ann, verified):
    commit = signed_commit(origin, ann, a="1")
    signed_tag(origin, ann, "tree", f"{commit}^{{tree}}")
    signed_tag(origin, ann, "file", f"{commit}:a")

    repository = verified(origin)

    assert repository.refs() == {MASTER: commit}
    assert reasons(repository) == dict.fromkeys(("tag/tree", "tag/file"), "it names no commit")


def test_commits_by_name_need_a_signature_of_their_own(origin, ann, verified):
    unsigned = origin.commit(a="1")
    signed = signed_commit(origin, ann, a="2")

    repository = verified(origin)

    assert repository.commit(unsigned, ("sha",)) == ""
    assert repository.commit(signed, ("sha",)) == signed


def test_a_removed_signer_advances_nothing_any_more(origin, ann, eve, signers, verified):
    write_signers(pathlib.Path(signers), ann.line + eve.line)
    signed = signed_commit(origin, eve, a="1")
    repository = verified(origin)
    write_signers(pathlib.Path(signers), ann.line)
    repository.update()
    result = reasons(repository)
    signed_commit(origin, eve, a="2")
    repository.update()

    assert "is not in the signers' file" in result[MASTER]
    assert repository.refs() == {MASTER: signed}


@pytest.mark.parametrize("trouble", ["missing", "writable", "nonsense", "empty", "directory"])
def test_with_signers_that_cannot_be_used_nothing_advances(origin, ann, signers, verified, trouble, caplog):
    signed = signed_commit(origin, ann, a="1")
    repository = verified(origin)
    signed_commit(origin, ann, a="2")
    os.unlink(signers)
    if trouble == "directory":
        os.mkdir(signers)
    elif trouble != "missing":
        write_signers(pathlib.Path(signers), {"nonsense": "x\n", "empty": ""}.get(trouble, ann.line))
        os.chmod(signers, 0o666 if trouble == "writable" else 0o644)

    repository.update()

    assert repository.refs() == {MASTER: signed}
    assert signers in repository.signers_problem()
    assert [str(refused) for refused in repository.refused()] == [
        f"{repository.signers_problem()}; nothing of {origin.url} advances"
    ]
    assert "nothing of" in caplog.text and "gitfs_verify" in caplog.text


def test_the_record_is_private_and_one_that_is_damaged_opens_nothing(origin, ann, tmp_path, verified):
    signed_commit(origin, ann, a="1")
    repository = verified(origin)
    (record,) = (tmp_path / "clones").glob("*.verified-*")
    mode = stat.S_IMODE(record.stat().st_mode)
    record.write_text(json.dumps({"served": {MASTER: 7}, "refused": {}}))

    other = again(repository, tmp_path)

    assert mode == 0o600
    assert other.refs() == {}
    assert f"rm {record}" in other.signers_problem()


def test_other_signers_do_not_inherit_what_was_verified(origin, ann, eve, tmp_path, verified):
    signed_commit(origin, ann, a="1")
    verified(origin)

    other = verified(origin, signers=write_signers(tmp_path / "others", eve.line))

    assert other.refs() == {}


def test_a_clone_without_history_gets_it(origin, ann, tmp_path, verified):
    signed_commit(origin, ann, a="1")
    source = verified(origin).source
    shallow = Repository(source._replace(depth=1, verify=None, name="x"), str(tmp_path / "clones"))
    shallow.update()
    newest = signed_commit(origin, ann, a="2")
    repository = Repository(source._replace(name="x"), str(tmp_path / "clones"))

    repository.update()

    assert repository.refs() == {MASTER: newest}


def test_replaced_objects_of_a_server_replace_nothing(origin, ann, tmp_path, verified):
    signed = signed_commit(origin, ann, a="good")
    tree = origin.git("rev-parse", f"{signed}^{{tree}}")
    (origin.path / "a").write_text("bad")
    origin.git("add", "--all")
    origin.git("update-ref", f"refs/replace/{tree}", origin.git("write-tree"))
    source = verified(origin).source
    everything = source._replace(refspecs=(*source.refspecs, "+refs/*:refs/*"), name="all")
    repository = Repository(everything, str(tmp_path / "clones"))

    repository.update()

    path = repository.content(repository.tree(repository.refs()[MASTER])["a"].sha)
    assert pathlib.Path(path).read_text() == "good"


def test_refs_that_are_not_wanted_are_not_checked(origin, ann, verified):
    signed_commit(origin, ann, a="1")
    origin.git("checkout", "--quiet", "-b", "dev")
    origin.commit(a="2")
    repository = verified(origin)
    repository.is_wanted = lambda name: name == MASTER

    repository.update()

    assert list(repository.refs()) == [MASTER]
    assert repository.refused() == []
