"""Links of an unprivileged user, which do not give that user access through root."""

import os
import pwd
import subprocess

import pytest

from tests.support.open_python import OpenPython

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")


def as_nobody(*words):
    """Run a command as nobody."""
    nobody = pwd.getpwnam("nobody")
    subprocess.run(words, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[], check=True, cwd="/")


@pytest.fixture
def stopped(start_master):
    """Return a stopped master beside a directory `etc` of root.

    Its directories belong to the user nobody, and its next start runs as that user.
    """
    master = start_master()
    master.stop()
    nobody = pwd.getpwnam("nobody")
    for path in [master.cachedir, *master.cachedir.rglob("*")]:
        os.lchown(path, nobody.pw_uid, nobody.pw_gid)
    master.settings["user"] = "nobody"
    etc = master.root / "etc"
    etc.mkdir()
    (etc / "shadow").write_text("secret")
    return master


def test_the_next_start_gives_away_nothing_behind_links(stopped, open_directory):
    etc = stopped.root / "etc"
    cache = stopped.cachedir
    (cache / "root's").write_text("")
    as_nobody("ln", "-s", str(etc), str(cache / "dir"))
    as_nobody("ln", "-s", str(etc / "shadow"), str(cache / "file"))
    as_nobody("mkdir", str(cache / "deep"))
    as_nobody("ln", "-s", "../..", str(cache / "deep" / "up"))
    # A kernel may let users make these themselves (fs.protected_hardlinks).
    os.link(etc / "shadow", cache / "deep" / "hard")

    stopped.program = OpenPython(open_directory).program
    stopped.start()

    assert (cache / "root's").stat().st_uid == pwd.getpwnam("nobody").pw_uid
    assert [path.stat().st_uid for path in (etc, etc / "shadow", stopped.root)] == [0, 0, 0]


@pytest.mark.parametrize("name", ["cache", "sock"])
def test_a_directory_that_became_a_link_stops_the_start_with_a_sentence(stopped, name):
    etc = stopped.root / "etc"
    os.rename(stopped.root / name, stopped.root / f"{name}.old")
    os.symlink(etc, stopped.root / name)
    os.lchown(stopped.root / name, pwd.getpwnam("nobody").pw_uid, -1)

    with pytest.raises(AssertionError, match="belongs to 'nobody' and leads to a target owned by 'root'"):
        stopped.start()

    assert etc.stat().st_uid == (etc / "shadow").stat().st_uid == 0
