"""Verification of host keys by git with a private key."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules.git import _run


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Return the environments of the started programs; each program fails with `said`."""
    found = {"env": [], "said": "no"}

    def run_online(argv, **options):
        found["env"].append(options["env"])
        return {"pid": 1, "retcode": 128, "stdout": "", "stderr": found["said"]}

    monkeypatch.setattr(_run, "run_online", run_online)
    (tmp_path / "key").write_text("x")
    found["key"] = str(tmp_path / "key")
    return found


def test_a_host_that_is_known_is_checked(started):
    with pytest.raises(CommandExecutionError):
        _run.git(["fetch"], "/", {"identity": started["key"]})

    [env] = started["env"]
    assert "StrictHostKeyChecking=accept-new" in env["GIT_SSH_COMMAND"]
    assert "StrictHostKeyChecking=no" not in env["GIT_SSH_COMMAND"]
    assert "UserKnownHostsFile" not in env["GIT_SSH_COMMAND"]


def test_an_ssh_that_is_too_old_is_reported(started):
    started["said"] = 'command-line line 0: unsupported option "accept-new".'

    with pytest.raises(CommandExecutionError, match=r"OpenSSH 7\.6 and later"):
        _run.git(["fetch"], "/", {"identity": started["key"]})
