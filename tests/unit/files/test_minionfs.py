import pytest

from salt_g.files.minionfs import MinionFs, folder_of
from salt_g.files.roots import RootsRules


@pytest.fixture
def cachedir(tmp_path):
    for id, path in [("web1", "etc/motd"), ("web1", "top.sls"), ("db1", "etc/motd"), ("_modules", "evil.py")]:
        file = tmp_path / "minions" / id / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(id)
    return str(tmp_path)


def test_pushed_files_appear_below_the_id_of_their_minion(cachedir):
    served = MinionFs(cachedir, RootsRules())

    found = served.find("web1/etc/motd", "base")

    assert found.path == f"{folder_of(cachedir, 'web1')}/etc/motd"
    assert found.relative == "web1/etc/motd"
    assert served.listing("base").files == ("db1/etc/motd", "web1/etc/motd")
    assert served.listing("base").directories == ("db1/etc", "web1/etc")


def test_they_appear_in_one_environment_below_the_mount_point(cachedir):
    served = MinionFs.from_opts(
        {"cachedir": cachedir, "minionfs_env": "pushed", "minionfs_mountpoint": "salt://from/minions"},
        RootsRules(),
    )

    assert served.envs() == ["pushed"]
    assert served.find("from/minions/db1/etc/motd", "pushed") is not None
    assert served.find("db1/etc/motd", "pushed") is None
    assert served.find("from/minions/db1/etc/motd", "base") is None
    assert served.listing("pushed").files[0] == "from/minions/db1/etc/motd"
    assert served.listing("base").files == ()


def test_lists_choose_the_minions(cachedir):
    opts = {"cachedir": cachedir, "minionfs_whitelist": ["web*", "db1"], "minionfs_blacklist": "db[0-9]+"}

    assert MinionFs.from_opts(opts, RootsRules()).listing("base").files == ("web1/etc/motd",)


@pytest.mark.parametrize(
    "path",
    [
        "web1/top.sls",
        "_modules/evil.py",
        "web1",
        "web1/",
        "../minions/web1/files/etc/motd",
        "web1/../db1/etc/motd",
        "web1/etc/../../../db1/files/etc/motd",
        "/etc/passwd",
        "",
    ],
)
def test_a_hidden_file_does_not_exist(cachedir, path):
    assert MinionFs(cachedir, RootsRules()).find(path, "base") is None


def test_links_are_neither_followed_nor_listed(cachedir, tmp_path):
    (tmp_path / "secret").write_text("s")
    (tmp_path / "minions/web1/files/link").symlink_to(tmp_path / "secret")
    served = MinionFs(cachedir, RootsRules(stay_inside=True, open_roots=(folder_of(cachedir, "web1"),)))

    assert served.find("web1/link", "base") is None
    assert "web1/link" not in served.listing("base").files


def test_without_pushed_files_there_is_nothing(tmp_path):
    assert MinionFs(str(tmp_path), RootsRules()).listing("base").files == ()
