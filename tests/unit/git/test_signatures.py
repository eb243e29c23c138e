"""Verdicts on single signatures, and their texts."""

import pytest

from salt_g.errors import FileServerError
from salt_g.git import signatures
from salt_g.git.signatures import problem_of
from salt_g.git.signers import read_keys
from tests.support.signed_origins import GpgSigner, needs_signing, signed_commit, write_signers

pytestmark = needs_signing


@pytest.fixture
def origin(make_origin):
    return make_origin("origin")


@pytest.fixture
def problem(tmp_path, origin, signers):
    """Return a function that returns the problem with the signature of a commit."""

    def ask(commit, *files):
        keys = read_keys(files or (signers,), str(tmp_path / "keys"))
        return problem_of("commit", commit, str(origin.path / ".git"), keys)

    return ask


def rewritten(origin, commit, old, new):
    """Store a commit with changed content; return it."""
    text = origin.git("cat-file", "commit", commit).replace(old, new) + "\n"
    (origin.path / "changed").write_text(text)
    return origin.git("hash-object", "-t", "commit", "-w", "changed")


def test_a_commit_that_was_changed_after_signing_is_refused(origin, ann, problem):
    commit = signed_commit(origin, ann, a="1")

    assert problem(commit) == ""
    assert problem(rewritten(origin, commit, "t@example.org", "u@example.org")) != ""


def test_signatures_of_openpgp_have_their_reasons(origin, tmp_path, problem):
    signer = GpgSigner(tmp_path, "bob")
    keys = write_signers(tmp_path / "keys.asc", signer.public)
    commit = signed_commit(origin, signer, a="1")
    changed = rewritten(origin, commit, "t@example.org", "u@example.org")
    signer.close()

    assert problem(commit, keys) == ""
    assert "does not match its content" in problem(changed, keys)
    assert "is not in the signers' file" in problem(commit)


def test_a_key_for_another_purpose_signs_nothing(origin, ann, tmp_path, problem):
    name, key = ann.line.split(" ", 1)
    mail_only = write_signers(tmp_path / "mail", f'{name} namespaces="mail" {key}')

    assert problem(signed_commit(origin, ann, a="1"), mail_only) != ""


def test_an_object_other_than_a_commit_is_not_signed(origin, ann, problem):
    commit = signed_commit(origin, ann, a="1")

    assert problem(origin.git("rev-parse", f"{commit}^{{tree}}")) != ""
    assert problem("0" * 40) != ""


def test_a_check_that_does_not_end_is_no_verdict(origin, ann, tmp_path, problem, monkeypatch):
    commit = signed_commit(origin, ann, a="1")
    monkeypatch.setattr(signatures, "TIMEOUT", 0.0)

    with pytest.raises(FileServerError, match="cannot be checked"):
        problem(commit)


def test_quotations_have_no_control_characters():
    assert "\x1b" not in signatures._reason("bad \x1b[2J" + "x" * 1000)
    assert len(signatures._reason("x" * 1000)) < 300
