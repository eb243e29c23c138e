"""`user` and `group` states on this machine; their accounts are removed at the end."""

import os
import shutil
import subprocess
from types import FunctionType

import pytest

from salt_g.modules import cmd, groupadd, linux_shadow, useradd
from salt_g.states import group as group_state
from salt_g.states import user as user_state

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make users"),
    pytest.mark.skipif(shutil.which("useradd") is None, reason="the shadow suite is not installed"),
]

NAME = "sgtestuser"
GROUP = "sgtestgroup"


def _functions():
    table = {"cmd.run_all": cmd.run_all, "file.mkdir": _mkdir}
    for prefix, module in (("user", useradd), ("group", groupadd), ("shadow", linux_shadow)):
        own = {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}
        table.update({f"{prefix}.{name}": value for name, value in own.items() if not name.startswith("_")})
    return table


def _mkdir(path, user, group, mode):
    os.mkdir(path, mode)
    os.chown(path, user, group)


def _remove():
    for command in (["userdel", "-r", NAME], ["groupdel", NAME], ["groupdel", GROUP]):
        subprocess.run(command, capture_output=True, check=False)


@pytest.fixture
def enter(call_context, alone_with):
    """Yield a function that enters a context with the real functions; `test=True` for test mode."""

    def enter(test=False):
        call_context(
            functions=_functions(), grains={"kernel": "Linux", "os_family": "Debian"}, opts={"test": test}
        )

    with alone_with("accounts"):
        _remove()
        enter()
        yield enter
        _remove()


@pytest.fixture
def home(tmp_path):
    return str(tmp_path / "home")


def test_a_user_is_made_and_the_second_run_changes_nothing(enter, home):
    arguments = {"home": home, "shell": "/bin/sh", "fullname": "Test User", "groups": ["adm"], "maxdays": 90}

    first = user_state.present(NAME, **arguments)
    second = user_state.present(NAME, **arguments)

    assert first["comment"] == f"New user {NAME} created"
    assert first["changes"]["home"] == home
    assert first["changes"]["maxdays"] == 90
    assert (second["result"], second["changes"]) == (True, {})
    assert second["comment"] == f"User {NAME} is present and up to date"
    assert os.path.isdir(home)


def test_attributes_of_a_user_change(enter, home):
    user_state.present(NAME, home=home)

    made = user_state.present(NAME, shell="/bin/sh", roomnumber=7, groups=["adm"], warndays=3, home=home)

    assert made["comment"] == f"Updated user {NAME}"
    assert made["changes"]["roomnumber"] == "7"
    assert made["changes"]["warn"] == 3
    assert "adm" in made["changes"]["groups"]


def test_groups_that_are_not_wanted_are_left(enter, home):
    user_state.present(NAME, home=home, groups=["adm", "mail"])

    kept = user_state.present(NAME, home=home, groups=["adm"], remove_groups=False)
    left = user_state.present(NAME, home=home, groups=["adm"])

    assert kept["changes"] == {}
    assert left["changes"]["groups"] == ["adm", NAME]


def test_a_uid_changes_only_when_it_may(enter, home):
    user_state.present(NAME, home=home, uid=54321)

    refused = user_state.present(NAME, home=home, uid=54322)
    allowed = user_state.present(NAME, home=home, uid=54322, allow_uid_change=True)

    assert "Changing uid (54321 -> 54322) not permitted" in refused["comment"]
    assert allowed["changes"]["uid"] == 54322


def test_a_password_is_hashed_hidden_and_compared(enter, home):
    first = user_state.present(NAME, home=home, password="secret", hash_password=True)
    again = user_state.present(NAME, home=home, password="secret", hash_password=True)
    other = user_state.present(NAME, home=home, password="other", hash_password=True)

    assert first["changes"]["password"] == "XXX-REDACTED-XXX"
    assert again["changes"] == {}
    assert other["changes"] == {"passwd": "XXX-REDACTED-XXX"}


def test_a_password_is_locked_and_unlocked(enter, home):
    user_state.present(NAME, home=home, password="$6$abc$def")

    locked = user_state.present(NAME, home=home, password_lock=True)
    unlocked = user_state.present(NAME, home=home, password_lock=False)

    assert locked["result"] and unlocked["result"]
    assert linux_shadow.info(NAME)["passwd"] == "$6$abc$def"


def test_test_mode_makes_nothing(enter, home):
    enter(test=True)

    new = user_state.present(NAME, home=home, groups=["nosuchgroup"])

    assert new["comment"] == f"User {NAME} set to be added (pending groups: nosuchgroup)"
    assert useradd.info(NAME) == {}


def test_a_user_goes_with_its_group(enter, home):
    user_state.present(NAME, home=home, usergroup=True)

    made = user_state.absent(NAME, purge=True)
    again = user_state.absent(NAME)

    assert made["changes"] == {f"{NAME} group": "removed", NAME: "removed"}
    assert again["comment"] == f"User {NAME} is not present"
    assert not os.path.exists(home)


def test_a_group_is_made_changed_and_removed(enter):
    made = group_state.present(GROUP, gid=54323, members=["daemon"])
    again = group_state.present(GROUP, gid=54323, members=["daemon"])
    grown = group_state.present(GROUP, addusers=["mail"], delusers=["daemon"])
    gone = group_state.absent(GROUP)

    assert made["changes"]["members"] == ["daemon"]
    assert again["comment"] == f"Group {GROUP} is present and up to date"
    assert grown["changes"] == {"Final": "All changes applied successfully"}
    assert gone["changes"] == {GROUP: ""}


def test_a_gid_that_is_taken_is_refused(enter):
    made = group_state.present(GROUP, gid=0)

    assert made["comment"] == f"Group {GROUP} is not present but gid 0 is already taken by group root"


def test_accounts_are_renamed_and_renumbered(enter):
    assert groupadd.add(GROUP, gid=54324)
    assert groupadd.chgid(GROUP, 54325)
    assert groupadd.adduser(GROUP, "daemon") and groupadd.deluser(GROUP, "daemon")
    assert groupadd.info(GROUP)["members"] == []
