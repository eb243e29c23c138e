"""A master started by root that continues as another user, with directories that do not exist yet."""

import os
import pathlib
import pwd
import stat
import subprocess
import sys

import pytest

from tests.support.open_python import OpenPython

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")

#: Users of every system; the master runs as the first, the second has rights by `publisher_acl`.
OWNER, CALLER = "daemon", "bin"


@pytest.fixture(scope="module")
def python(open_directory):
    """Return this Python for other users: an executable command, and the words that start it."""
    return OpenPython(open_directory)


@pytest.fixture
def owner(python):
    """Return settings of a daemon that root starts and that continues as `OWNER`."""
    return {"program": python.program, "user": OWNER}


@pytest.fixture
def open_root(daemon_root):
    """Return a directory that daemons of other users can use."""
    for path in (daemon_root, daemon_root / "master", daemon_root / "m1"):
        path.mkdir(exist_ok=True)
        path.chmod(0o755)
    return daemon_root


@pytest.fixture(params=[0o022, 0o077])
def umask(request, open_root):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def deep(root, name):
    return str(root / "new" / name / "a" / "b" / "leaf")


def places(root):
    return {name: deep(root, name) for name in ("cachedir", "pki_dir", "sock_dir")} | {
        "log_file": deep(root, "log"),
        "pidfile": deep(root, "pid"),
    }


def parents(path):
    """Return the parents of a path that the daemon had to create."""
    return [parent for parent in pathlib.Path(path).parents if "new" in parent.relative_to("/").parts]


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def as_user(python, name, *words):
    entry = pwd.getpwnam(name)
    command = [
        python.enter,
        "setpriv",
        f"--reuid={entry.pw_uid}",
        f"--regid={entry.pw_gid}",
        "--clear-groups",
        *words,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_master_starts_where_every_parent_had_to_be_made(start_master, owner, open_root, umask):
    start_master(**owner, **places(open_root / "master"))

    for name, path in places(open_root / "master").items():
        assert {mode_of(parent) for parent in parents(path)} == {0o755}, name
        assert {os.stat(parent).st_uid for parent in parents(path)} == {0}, name
    for name in ("cachedir", "pki_dir", "sock_dir"):
        path = deep(open_root / "master", name)
        assert (mode_of(path), os.stat(path).st_uid) == (0o700, pwd.getpwnam(OWNER).pw_uid)


def test_users_with_rights_reach_their_key_and_the_socket(start_master, python, owner, open_root, umask):
    master = start_master(**owner, publisher_acl={CALLER: ["test.*"]}, **places(open_root / "master"))
    key = master.cachedir / f".{CALLER}_key"
    connect = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"

    read = as_user(python, CALLER, "cat", str(key))
    connected = as_user(python, CALLER, sys.executable, "-c", connect, str(master.sock_dir / "salt_g.ipc"))

    assert len(read.stdout) == 76, read.stderr
    assert connected.returncode == 0, connected.stderr
    assert as_user(python, "games", "cat", str(key)).returncode != 0
    assert (mode_of(key), os.stat(key).st_uid) == (0o600, pwd.getpwnam(CALLER).pw_uid)


def test_it_starts_again_by_root_and_by_its_user(start_master, owner, open_root):
    master = start_master(**owner, publisher_acl={CALLER: ["test.*"]}, **places(open_root / "master"))
    key = master.cachedir / f".{CALLER}_key"
    first = key.read_text()

    master.stop()
    master.start()

    assert key.read_text() != first
    assert os.stat(key).st_uid == pwd.getpwnam(CALLER).pw_uid
    assert (master.cachedir / f".{CALLER}_key.master").read_text() == key.read_text()


def test_a_minion_starts_where_every_parent_had_to_be_made(
    start_master, start_minion, owner, open_root, umask
):
    master = start_master(auto_accept=True)
    settings = places(open_root / "m1")

    start_minion(master, **owner, **settings)

    for name, path in settings.items():
        assert {mode_of(parent) for parent in parents(path)} == {0o755}, name
