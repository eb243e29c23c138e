"""Privileges: continuing as another user, and ownership of existing files."""

import os
import pwd
import stat

import pytest

from salt_g.errors import PrivilegeError
from salt_g.process import privileges

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="gives files to another user")


def test_becoming_oneself_is_nothing():
    before = (os.getresuid(), os.getresgid(), os.getgroups())

    privileges.become(privileges.current_user())
    privileges.become("")

    assert (os.getresuid(), os.getresgid(), os.getgroups()) == before


def test_a_user_that_does_not_exist_cannot_be_become():
    with pytest.raises(PrivilegeError, match="The user is not available"):
        privileges.become("no-such-user")


def test_directories_get_exactly_their_mode(tmp_path):
    closed, shared = tmp_path / "a" / "closed", tmp_path / "shared"
    shared.mkdir(mode=0o777)

    privileges.prepare("", [str(closed)])
    privileges.prepare("", [str(shared)], mode=privileges.PASSABLE)

    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert stat.S_IMODE(shared.stat().st_mode) == 0o711


@needs_root
def test_everything_below_a_directory_is_given_to_the_user_and_links_are_not_followed(tmp_path):
    uid = pwd.getpwnam("nobody").pw_uid
    outside = tmp_path / "outside"
    outside.write_text("")
    inside = tmp_path / "pki"
    (inside / "minions").mkdir(parents=True)
    (inside / "minions" / "m1").write_text("")
    (inside / "link").symlink_to(outside)

    privileges.prepare("nobody", [str(inside)])

    owned = [inside, inside / "minions", inside / "minions" / "m1", inside / "link"]
    assert [path.lstat().st_uid for path in owned] == [uid] * 4
    assert outside.stat().st_uid == os.getuid()


@needs_root
def test_a_log_file_is_made_for_the_user_and_its_directory_stays_as_it_is(tmp_path):
    log = tmp_path / "master"

    privileges.prepare_file("nobody", str(log))

    assert log.stat().st_uid == pwd.getpwnam("nobody").pw_uid
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert tmp_path.stat().st_uid == os.getuid()


@pytest.fixture
def theirs(tmp_path):
    """Return a cache directory of the user nobody, beside a file of root."""
    os.chmod(tmp_path, 0o755)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "secret").write_text("secret")
    theirs = tmp_path / "cache"
    theirs.mkdir()
    os.chown(theirs, pwd.getpwnam("nobody").pw_uid, -1)
    return theirs


@needs_root
def test_targets_of_the_users_links_stay_roots(theirs, tmp_path, caplog):
    os.link(tmp_path / "root" / "secret", theirs / "hard")
    os.mkfifo(theirs / "pipe")
    (theirs / "dir").symlink_to(tmp_path / "root")
    (theirs / "file").symlink_to(tmp_path / "root" / "secret")

    privileges.prepare("nobody", [str(theirs)])

    for path in ("root", "root/secret", "cache/pipe"):
        assert (tmp_path / path).stat().st_uid == 0
    assert f"{theirs}/hard has several hard links" in caplog.text


@needs_root
def test_a_directory_that_the_user_made_a_link_is_refused(theirs, tmp_path):
    uid = pwd.getpwnam("nobody").pw_uid
    (theirs / "pki").symlink_to(tmp_path / "root")
    os.lchown(theirs / "pki", uid, -1)

    for path in (theirs / "pki", theirs / "pki" / "new" / "dir"):
        with pytest.raises(PrivilegeError, match="the link .* belongs to 'nobody'"):
            privileges.prepare("nobody", [str(path)])

    assert (tmp_path / "root").stat().st_uid == 0
    assert os.listdir(tmp_path / "root") == ["secret"]


@needs_root
def test_a_link_of_root_to_the_users_own_directory_is_followed(theirs, tmp_path):
    (tmp_path / "moved").symlink_to(theirs)
    (theirs / "f").write_text("")

    privileges.prepare("nobody", [str(tmp_path / "moved")])

    assert (theirs / "f").stat().st_uid == pwd.getpwnam("nobody").pw_uid


@needs_root
def test_a_log_file_is_given_by_no_link(theirs, tmp_path):
    secret = tmp_path / "root" / "secret"
    (theirs / "log").symlink_to(secret)
    os.link(secret, theirs / "hard")
    (theirs / "dir").symlink_to(tmp_path / "root")
    os.lchown(theirs / "dir", pwd.getpwnam("nobody").pw_uid, -1)

    for path in ("log", "hard", "dir/secret"):
        with pytest.raises(OSError):
            privileges.prepare_file("nobody", str(theirs / path))

    assert secret.stat().st_uid == 0
