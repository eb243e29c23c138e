"""A malicious git server: its content does not reach minions. Real master, git, keys and programs."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.signed_origins import SshSigner, needs_signing, signed_commit, write_signers
from tests.support.waiting import DEADLINE

pytestmark = needs_signing


@pytest.fixture
def ann(tmp_path):
    return SshSigner(tmp_path, "ann")


@pytest.fixture
def signers(tmp_path, ann):
    return write_signers(tmp_path / "signers", ann.line)


@pytest.fixture
def origin(make_origin):
    return make_origin("states")


def run(*words):
    """Return the finished command and its JSON."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=DEADLINE)
    return done, json.loads(done.stdout) if done.stdout.strip() else None


def test_files_and_pillar_of_a_master_advance_by_signed_commits_only(
    start_master, start_minion, origin, ann, signers
):
    verified = {"gitfs_verify": {"signers": signers}, "git_pillar_verify": {"signers": signers}}
    signed_commit(origin, ann, f="good", top_DOT_sls="base: {'*': [x]}", x_DOT_sls="from: good")
    master = start_master(
        fileserver_backend=["git"],
        gitfs_remotes=[origin.url],
        ext_pillar=[{"git": [f"master {origin.url}"]}],
        **verified,
    )
    start_minion(master, id="m1")
    config = ["-c", str(master.config_dir), "--out=json"]
    commit = origin.commit(f="bad", x_DOT_sls="from: bad")

    _, messages = run("run", *config, "fileserver.update")
    run("run", *config, "git_pillar.update")
    _, refused = run("run", *config, "fileserver.refused")
    _, read = run("cmd", *config, "--static", "m1", "cp.get_file_str", "salt://f")
    _, pillar = run("cmd", *config, "--static", "m1", "pillar.item", "from", "unmask=True")
    _, found = run("doctor", "-c", str(master.config_dir), "--json")

    assert f"commit {commit} is refused: it has no signature" in messages[0]
    assert refused[origin.url]["branch/master"]["reason"] == "it has no signature"
    assert read == {"m1": "good"}
    assert pillar == {"m1": {"from": "good"}}
    result = [one for one in found if one["about"].startswith("signed tree")]
    assert {one["level"] for one in result} == {"warning"}


def test_a_machine_without_a_master_verifies_as_well(origin, ann, signers, tmp_path):
    settings = {
        "file_client": "local",
        "root_dir": str(tmp_path / "root"),
        "fileserver_backend": ["git"],
        "gitfs_remotes": [{origin.url: [{"verify": {"signers": signers}}, {"update_interval": 0.001}]}],
    }
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "minion").write_text(json.dumps({"id": "m1", **settings}))
    words = ["call", "-c", str(tmp_path / "c"), "--out=json", "cp.get_file_str", "salt://f"]
    origin.commit(f="unsigned")
    _, first = run(*words)
    signed_commit(origin, ann, f="signed")
    _, second = run(*words)
    origin.commit(f="bad")
    done, third = run(*words)

    assert (first["local"], second["local"], third["local"]) == (False, "signed", "signed")
    assert "it has no signature" in done.stderr
