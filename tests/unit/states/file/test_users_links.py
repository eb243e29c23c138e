"""File states run by root on paths with a user's links: nothing of root's changes its owner."""

import os
import stat

import pytest

import salt_g.states.file as states
from salt_g import safe_files
from salt_g.errors import CommandExecutionError
from salt_g.modules import file as execution

NOBODY = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="makes files of several users")


@pytest.fixture
def home(tmp_path):
    """Return a directory of the user nobody, beside `root` with a file that belongs to root."""
    os.chmod(tmp_path, 0o755)
    (tmp_path / "root").mkdir()
    secret = tmp_path / "root" / "secret"
    secret.write_text("secret\n")
    os.chmod(secret, 0o600)
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    return home


@pytest.fixture
def secret(tmp_path, home):
    """Yield the file of root, which must be unchanged at the end."""
    path = tmp_path / "root" / "secret"
    before = seen(path)
    yield path
    assert seen(path) == before
    assert os.listdir(path.parent) == ["secret"]


def seen(path):
    found = os.stat(path)
    return found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode), found.st_ino, path.read_text()


def users_link(path, target):
    os.symlink(target, path)
    os.lchown(path, NOBODY, NOBODY)


def refused(act):
    """Return the text of a refusal, whether it is a failed return or an error."""
    try:
        ret = act()
    except (safe_files.UntrustedPath, CommandExecutionError) as exc:
        return str(exc)
    assert ret["result"] is False, ret
    return ret["comment"]


#: What root might be asked to do with a path of a user.
ACTS = {
    "managed": lambda path: states.managed(path, contents="mine", user="nobody", mode="0666"),
    "managed without content": lambda path: states.managed(path, user="nobody", mode="0666", replace=False),
    "append": lambda path: states.append(path, text="mine"),
    "prepend": lambda path: states.prepend(path, text="mine"),
    "replace": lambda path: states.replace(path, "secret", "mine"),
    "line": lambda path: states.line(path, content="mine", mode="insert", location="end"),
    "blockreplace": lambda path: states.blockreplace(path, content="mine", append_if_not_found=True),
    "comment": lambda path: states.comment(path, "^secret"),
    "keyvalue": lambda path: states.keyvalue(path, key="a", value="b", append_if_not_found=True),
    "serialize": lambda path: states.serialize(path, dataset={"a": 1}, serializer="json"),
    "copy": lambda path: states.copy(path, "/etc/hostname", force=True),
}
MODULE_ACTS = {
    "append": lambda path: execution.append(path, "mine"),
    "write": lambda path: execution.write(path, "mine"),
    "truncate": lambda path: execution.truncate(path, 0),
    "seek_write": lambda path: execution.seek_write(path, "mine", 0),
    "chown": lambda path: execution.chown(path, "nobody", "nogroup"),
    "chgrp": lambda path: execution.chgrp(path, "nogroup"),
    "set_mode": lambda path: execution.set_mode(path, "0666"),
    "touch": lambda path: execution.touch(path),
    "check_perms": lambda path: execution.check_perms(path, None, "nobody", None, "0666", None, True),
    "copy": lambda path: execution.copy("/etc/hostname", path),
    "psed": lambda path: execution.psed(path, "secret", "mine"),
}


@pytest.mark.parametrize("test", [False, True])
@pytest.mark.parametrize("act", ACTS)
def test_a_state_says_which_link_it_does_not_follow(file_context, home, secret, act, test):
    if act == "copy":
        pytest.skip("replaces the link, which is the user's own")
    file_context(test=test)
    users_link(home / "x", secret)

    if test and act in ("append", "prepend", "keyvalue", "blockreplace"):
        ACTS[act](str(home / "x"))  # looks only; nothing must change
        return
    comment = refused(lambda: ACTS[act](str(home / "x")))

    assert f"the link {home}/x belongs to 'nobody'" in comment
    assert "remove the link, or give it to root" in comment


@pytest.mark.parametrize("act", [*ACTS, *(f"file.{name}" for name in MODULE_ACTS)])
def test_nothing_is_done_in_a_directory_behind_a_link(file_context, home, secret, act):
    file_context()
    users_link(home / "dir", secret.parent)
    path = str(home / "dir" / "secret")
    acting = MODULE_ACTS[act[5:]] if act.startswith("file.") else ACTS[act]

    try:
        ret = acting(path)
    except (safe_files.UntrustedPath, CommandExecutionError):
        return
    assert (act == "file.check_perms" and ret[0]["result"] is False) or ret["result"] is False


@pytest.mark.parametrize("act", MODULE_ACTS)
def test_a_function_follows_no_link_of_a_user(file_context, home, secret, act):
    file_context()
    users_link(home / "x", secret)

    try:
        ret = MODULE_ACTS[act](str(home / "x"))
    except (safe_files.UntrustedPath, CommandExecutionError):
        return
    assert act == "check_perms" and ret[0]["result"] is False


@pytest.mark.parametrize("act", ["managed", "append", "replace", "serialize"])
def test_a_link_to_the_users_own_files_is_managed_through(file_context, home, act):
    file_context()
    (home / "real").mkdir()
    (home / "real" / "f").write_text("secret\n")
    for path in (home / "real", home / "real" / "f"):
        os.chown(path, NOBODY, NOBODY)
    users_link(home / "site", "real")
    users_link(home / "real" / "x", "f")

    ret = ACTS[act](str(home / "site" / "x"))

    assert ret["result"] is True, ret
    assert (home / "real" / "x").is_symlink()
    assert os.stat(home / "real" / "f").st_uid == NOBODY
    assert (home / "real" / "f").read_text() != "secret\n"


def test_a_recursion_changes_no_owner_behind_links(file_context, home, secret):
    file_context()
    users_link(home / "dir", secret.parent)
    users_link(home / "file", secret)
    (home / "plain").write_text("")

    for follow in (True, False):
        states.directory(
            str(home), user="nobody", group="nogroup", file_mode="0666", dir_mode="0777",
            recurse=["user", "group", "mode"], follow_symlinks=follow,
        )  # fmt: skip

    assert os.stat(home / "plain").st_uid == NOBODY
    assert os.stat(secret.parent).st_uid == 0


def test_a_recursion_names_a_file_with_several_hard_links_and_leaves_it(file_context, home, secret):
    file_context()
    os.link(secret, home / "hard")

    ret = states.directory(str(home), user="nobody", file_mode="0666", recurse=["user", "mode"])

    assert ret["result"] is False
    assert f"{home}/hard: the file has 2 hard links" in ret["comment"]
    os.unlink(home / "hard")


def test_removing_stops_at_links_and_behind_none(file_context, home, secret):
    file_context()
    users_link(home / "dir", secret.parent)
    (home / "old").mkdir()
    os.symlink(secret.parent, home / "old" / "link")

    assert states.tidied(str(home / "old"), age=0, rmlinks=True, rmdirs=True)["result"] is not None
    assert states.directory(str(home / "old"), clean=True)["result"] is True
    with pytest.raises((safe_files.UntrustedPath, CommandExecutionError)):
        execution.remove(str(home / "dir" / "secret"))
    assert "belongs to 'nobody'" in refused(lambda: states.absent(str(home / "dir" / "secret")))
    for act in (
        lambda: states.tidied(str(home / "dir"), age=0),
        lambda: execution.find(str(home / "dir"), delete="f", type="f"),
    ):
        with pytest.raises(safe_files.UntrustedPath):
            act()


def test_nothing_is_made_in_a_directory_behind_a_link(file_context, home, secret):
    file_context()
    users_link(home / "dir", secret.parent)
    new = str(home / "dir" / "new")

    for act in (
        lambda: states.managed(f"{new}/f", contents="x", makedirs=True),
        lambda: states.directory(new, makedirs=True),
        lambda: states.symlink(new, "/etc"),
        lambda: states.touch(new),
        lambda: states.mknod(new, "p"),
        lambda: states.hardlink(new, "/etc/hostname"),
        lambda: states.rename(new, str(home / "real")),
    ):
        (home / "real").write_text("")
        assert "belongs to 'nobody'" in refused(act)


def test_a_backup_holds_what_was_replaced_and_is_restored_to_no_link(file_context, home, secret):
    file_context()
    (home / "f").write_text("first")
    assert states.managed(str(home / "f"), contents="second", backup="minion")["result"] is True
    os.unlink(home / "f")
    users_link(home / "f", secret)

    assert execution.restore_backup(str(home / "f"), 0)["result"] is False
