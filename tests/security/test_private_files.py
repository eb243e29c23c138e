"""Files and sockets: they are private to the daemon's user (property 16)."""

import os
import pathlib
import pwd
import shutil
import stat
import subprocess
import sys

import pytest

import salt_g
from tests.support.open_python import OpenPython
from tests.support.peers import Peer, publish, run

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")

#: Paths accessible to other users of this machine when `publisher_acl` permits some, and their modes.
_SHARED = {"cache": 0o711, "sock": 0o711}


def modes(root):
    """Return {relative path: mode} of the files the master created below its directories."""
    found = {}
    for name in ("cache", "pki", "sock"):
        for directory, _, files in os.walk(root / name):
            for path in [directory, *(os.path.join(directory, file) for file in files)]:
                found[os.path.relpath(path, root)] = stat.S_IMODE(os.lstat(path).st_mode)
    return found


def test_everything_is_private_whatever_the_umask(start_master):
    before = os.umask(0)
    try:
        master = start_master()
    finally:
        os.umask(before)
    Peer(master, "m1", 0).sign_in()
    publish(master, "test.ping")

    assert {path: mode for path, mode in modes(master.root).items() if mode & 0o077} == {}


def test_directories_that_were_open_are_closed(start_master):
    first = start_master()
    first.stop()
    for name in ("cache", "pki", "sock"):
        (first.root / name).chmod(0o777)

    first.start()

    assert {oct(stat.S_IMODE((first.root / name).stat().st_mode)) for name in ("cache", "pki", "sock")} == {
        "0o700"
    }


@needs_root
def test_users_with_rights_reach_their_key_and_the_sockets_only(start_master):
    master = start_master(publisher_acl={"nobody": ["test.*"]})

    for name, mode in _SHARED.items():
        assert stat.S_IMODE((master.root / name).stat().st_mode) == mode
    key = master.cachedir / ".nobody_key"
    assert key.stat().st_uid == pwd.getpwnam("nobody").pw_uid
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    for path, mode in modes(master.root).items():
        if path not in _SHARED and not path.endswith(".ipc"):
            assert not mode & 0o077, path


@needs_root
def test_a_master_goes_on_as_its_user(start_master, open_directory):
    program = OpenPython(open_directory).program
    master = start_master(program=program, user="nobody")
    uid = pwd.getpwnam("nobody").pw_uid
    Peer(master, "m1", 0).sign_in()

    status = pathlib.Path(f"/proc/{master.pid}/status").read_text().splitlines()
    uids = next(line.split()[1:] for line in status if line.startswith("Uid:"))
    accepted = run(master, "key", "-L", program=program)
    deleted = run(master, "key", "-d", "m1", "-y", program=program)

    assert uids == [str(uid)] * 4
    assert "m1" in accepted.out, accepted.err
    assert "Key for minion m1 deleted." in deleted.out, deleted.err
    owners = {os.lstat(master.root / path).st_uid for path in modes(master.root)}
    assert owners == {uid}


@needs_root
def test_a_user_that_does_not_exist_is_refused_at_the_start(start_master):
    with pytest.raises(AssertionError, match="The user is not available"):
        start_master(user="no-such-user")


@needs_root
def test_only_root_becomes_another_user(tmp_path):
    program = (
        "import os\nfrom salt_g.process import privileges\nos.setgid(65534); os.setuid(65534)\n"
        "privileges.become('daemon')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert "only root can become another user" in done.stderr


@needs_root
def test_a_program_that_its_user_cannot_read_is_reported_at_once(tmp_path):
    closed = tmp_path / "closed"
    shutil.copytree(os.path.dirname(salt_g.__file__), closed / "salt_g")
    closed.chmod(0o700)
    words = [sys.executable, "-c", "from salt_g.process import privileges\nprivileges.become('daemon')\n"]

    done = subprocess.run(
        words, capture_output=True, text=True, cwd="/", env={**os.environ, "PYTHONPATH": str(closed)}
    )

    assert f"this user cannot read the program in {closed}/salt_g" in done.stderr
