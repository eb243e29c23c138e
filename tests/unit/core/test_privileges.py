"""Going on as another user, and owning what is there."""

import os
import pwd
import stat

import pytest

from salt_g import privileges
from salt_g.errors import PrivilegeError

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="gives files to another user")


def test_becoming_oneself_is_nothing():
    before = (os.getresuid(), os.getresgid(), os.getgroups())

    privileges.become(privileges.current_user())
    privileges.become("")

    assert (os.getresuid(), os.getresgid(), os.getgroups()) == before


def test_a_user_that_does_not_exist_cannot_be_become():
    with pytest.raises(PrivilegeError, match="there is no such user"):
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
