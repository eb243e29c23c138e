"""Users, groups and shadow of another root directory, by files alone."""

import pytest

from salt_g.modules import groupadd, linux_shadow, useradd


@pytest.fixture
def root(tmp_path, call_context):
    call_context(grains={"kernel": "Linux"})
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "passwd").write_text(
        "frank:x:1000:1000:Frank F,7,,:/home/frank:/bin/sh\njoan:x:1001:1000::/:/bin/sh\n"
    )
    (etc / "group").write_text("frank:x:1000:\nadm:x:4:frank,joan\nbroken\n")
    (etc / "shadow").write_text("frank:$6$s$h:19000:0:99999:7:::\n")
    return str(tmp_path)


def test_user_info_reads_the_files_of_the_root(root):
    user = useradd.info("frank", root)

    assert (user["uid"], user["gid"], user["fullname"], user["roomnumber"]) == (1000, 1000, "Frank F", "7")
    assert user["groups"] == ["adm", "frank"]


def test_an_unknown_user_is_nothing(root):
    assert useradd.info("nobody", root) == {}
    assert useradd.info("nosuchuser") == {}
    assert groupadd.info("nosuchgroup", root) == {}
    assert linux_shadow.info("joan", root)["name"] == ""


def test_all_users_and_groups_are_listed(root):
    assert useradd.list_users(root) == ["frank", "joan"]
    assert [group["name"] for group in groupadd.getent(root=root)] == ["frank", "adm"]
    assert [user["name"] for user in useradd.getent(root=root)] == ["frank", "joan"]


def test_shadow_reports_days_and_missing_ones_as_minus_one(root):
    shadow = linux_shadow.info("frank", root)

    assert (shadow["lstchg"], shadow["max"], shadow["inact"], shadow["expire"]) == (19000, 99999, -1, -1)


def test_passwords_are_hashed_as_crypt_does():
    assert linux_shadow.gen_password("x", "abcdefgh", "md5") == "$1$abcdefgh$znAnv9M.XU2pRYfmSs46h/"
    assert linux_shadow.gen_password("x").startswith("$6$")


def test_changes_go_to_the_root(root, call_context):
    calls = []
    done = {"retcode": 0, "stdout": "", "stderr": ""}
    call_context(functions={"cmd.run_all": lambda argv, **options: calls.append(argv[1:]) or done})

    useradd.add("eve", uid=7, groups=["adm"], usergroup=False, root=root)

    assert calls[0] == ["-R", root, "-u", "7", "-N", "-m", "eve"]
    assert calls[1] == ["-R", root, "-G", "adm", "eve"]
