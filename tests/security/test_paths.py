"""Paths that a peer asks for: they lie beneath a root, in every file command and backend; uploads are off,
bounded, and land in the sender's own folder (property 15)."""

import os
import subprocess

import pytest

from salt_g.process.command import which
from tests.support.peers import Peer

#: Paths to `secret`, a sibling of the roots, or to files of this machine.
WAYS_OUT = [
    "../secret",
    "d/../../secret",
    "d/../../states/f",
    "./../secret",
    "/etc/passwd",
    "//etc/passwd",
    "|/etc/passwd",
    "|../secret",
    "..",
    ".",
    "",
    "d",
    "f\0",
    "../secret\0.sls",
    "out",
    "away/secret",
    "..\\secret",
    "f?saltenv=../..",
    "secret?saltenv=.",
    "x" * 5000,
]
ENVS_OUT = ["..", "../..", "/", "/etc", ".", "", "base/../..", "base\0", "__env__", "x" * 5000]
LISTINGS = ["_file_list", "_dir_list", "_file_list_emptydirs", "_symlink_list"]


def served(root):
    """Return a file tree with a secret beside it, and links to that."""
    states = root / "states"
    (states / "d").mkdir(parents=True, exist_ok=True)
    (states / "f").write_text("served")
    (root / "secret").write_text("secret")
    (states / "out").symlink_to(root / "secret")
    (states / "away").symlink_to(root)
    return states


@pytest.fixture(scope="module")
def master(fleet):
    """Return a master with a tree and links out of it; peers of the tests only read."""
    started = fleet[0](fileserver_backend=["roots", "minionfs"])
    served(started.root)
    return started


def is_nothing(reply):
    """Return whether a reply contains neither content nor location."""
    return reply in (
        "",
        {},
        {"data": "", "dest": ""},
        {"path": "", "rel": ""},
        ["", None],
    )


@pytest.mark.parametrize("cmd", ["_serve_file", "_file_hash", "_file_hash_and_stat", "_file_find"])
def test_no_file_command_leads_out_of_the_roots(master, cmd):
    peer = Peer(master, "m1", 0).sign_in()

    given = {way: peer.ask({"cmd": cmd, "path": way, "saltenv": "base", "loc": 0}) for way in WAYS_OUT}
    envs = {env: peer.ask({"cmd": cmd, "path": "secret", "saltenv": env, "loc": 0}) for env in ENVS_OUT}
    honest = peer.ask({"cmd": cmd, "path": "f", "saltenv": "base", "loc": 0})

    assert {way: reply for way, reply in given.items() if not is_nothing(reply)} == {}
    assert {env: reply for env, reply in envs.items() if not is_nothing(reply)} == {}
    assert not is_nothing(honest)


@pytest.mark.parametrize("cmd", LISTINGS)
def test_no_listing_shows_what_lies_outside(master, cmd):
    peer = Peer(master, "m1", 0).sign_in()

    shown = peer.ask({"cmd": cmd, "saltenv": "base", "prefix": ""})
    others = [peer.ask({"cmd": cmd, "saltenv": env, "prefix": "../"}) for env in ENVS_OUT]

    assert not {"secret", "out", "away", "away/secret"} & set(shown)
    assert not any(others)


@pytest.mark.parametrize("cmd", ["_serve_file", "_file_hash", "_file_find", *LISTINGS])
def test_fields_of_another_type_are_not_paths(master, cmd):
    peer = Peer(master, "m1", 0).sign_in()

    for path in (["..", "secret"], {"x": 1}, 5, True, b"../secret"):
        load = {"cmd": cmd, "path": path, "saltenv": "base", "loc": 0, "prefix": path}
        for forged in (load, {**load, "path": "f", "prefix": "", "saltenv": path}):
            reply = peer.ask(forged)
            assert not reply or is_nothing(reply)


def test_places_and_levels_out_of_range_give_nothing(master):
    peer = Peer(master, "m1", 0).sign_in()
    load = {"cmd": "_serve_file", "path": "f", "saltenv": "base"}

    assert is_nothing(peer.ask({**load, "loc": -1}))
    assert peer.ask({**load, "loc": 1 << 62})["data"] in ("", b"")
    assert peer.ask({**load, "loc": 0, "gzip": 10_000})["data"] in ("served", b"served")
    assert is_nothing(peer.ask(load))


def test_links_out_are_served_where_the_root_is_declared_open(start_master):
    master = start_master()
    served(master.root)
    master.stop()
    master.settings["fileserver_open_roots"] = [str(master.root / "states")]
    master.start()
    peer = Peer(master, "m1", 0).sign_in()

    reply = peer.ask({"cmd": "_serve_file", "path": "out", "saltenv": "base", "loc": 0})

    assert reply["data"] in ("secret", b"secret")


@pytest.mark.skipif(which("git") is None, reason="git is not installed")
def test_a_repository_leads_nowhere(start_master, tmp_path):
    repository = tmp_path / "repository"
    (repository / "top").mkdir(parents=True)
    (repository / "secret").write_text("secret")
    for name, target in {"out": "/etc/passwd", "up": "../secret", "git": "../.git/config"}.items():
        (repository / "top" / name).symlink_to(target)
    for words in (
        ["init", "--quiet", "--initial-branch=master"],
        ["add", "--all"],
        ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "--message=x"],
    ):
        subprocess.run(["git", *words], cwd=repository, check=True)
    master = start_master(
        fileserver_backend=["git"], gitfs_remotes=[{f"file://{repository}": [{"root": "top"}]}]
    )
    peer = Peer(master, "m1", 0).sign_in()

    for path in [*WAYS_OUT, "up", "git", ".git/config", "../.git/config", "../secret"]:
        load = {"cmd": "_serve_file", "path": path, "saltenv": "base", "loc": 0}
        assert is_nothing(peer.ask(load)), path
    for env in [*ENVS_OUT, "HEAD", "--all", "refs/heads/master", "master:..", "master^{tree}"]:
        load = {"cmd": "_serve_file", "path": "secret", "saltenv": env, "loc": 0}
        assert is_nothing(peer.ask(load)), env


def upload(peer, path, data=b"x", **more):
    return peer.ask({"cmd": "_file_recv", "path": path, "loc": 0, "size": len(data), "data": data, **more})


def test_nothing_is_taken_unless_that_is_switched_on(master):
    peer = Peer(master, "m1", 0).sign_in()

    assert upload(peer, ["f"]) is False
    assert not (master.cachedir / "minions").exists()


def test_uploads_land_in_the_folder_of_their_sender(start_master):
    master = start_master(file_recv=True, file_recv_max_size=1)
    peer = Peer(master, "m1", 0).sign_in()
    folder = master.cachedir / "minions" / "m1" / "files"

    taken = upload(peer, ["etc", "motd"], id="m2")
    refused = [
        upload(peer, path)
        for path in (
            ["..", "m2", "files", "f"],
            ["a", "..", "..", "f"],
            ["/etc/cron.d/x"],
            ["a/b"],
            ["a\0b"],
            [".."],
            ["."],
            [""],
            [],
            ["x" * 300],
            ["a"] * 100,
            [5],
            [["a"]],
            [".salt-g-part-f"],
        )
    ]
    wrong_type = [upload(peer, path) for path in ("../f", "/etc/f", None, 5, {"a": 1})]

    assert taken is True
    assert not any(refused) and not any(wrong_type)
    files = [path for path in master.cachedir.glob("minions/**/*") if path.is_file()]
    assert files == [folder / "etc" / "motd"]
    assert os.stat(files[0]).st_mode & 0o777 == 0o600


def test_uploads_are_bounded(start_master):
    master = start_master(file_recv=True, file_recv_max_size=1)
    peer = Peer(master, "m1", 0).sign_in()
    piece = bytes(600_000)

    too_large = upload(peer, ["a"], bytes((1 << 20) + 1))
    announced = upload(peer, ["b"], b"x", size=(1 << 20) + 1)
    far_out = upload(peer, ["c"], b"x", loc=1 << 40)
    negative = upload(peer, ["d"], b"x", loc=-1)
    holes = upload(peer, ["e"], b"x", loc=1000)
    grown = [upload(peer, ["f"], piece, loc=loc, size=600_000) for loc in (0, 600_000)]

    assert not any([too_large, announced, far_out, negative, holes])
    assert grown == [True, False]
    sizes = {
        path.name: path.stat().st_size for path in master.cachedir.glob("minions/**/*") if path.is_file()
    }
    assert sizes == {"f": 600_000}


def test_an_upload_does_not_follow_links(start_master):
    master = start_master(file_recv=True)
    peer = Peer(master, "m1", 0).sign_in()
    folder = master.cachedir / "minions" / "m1" / "files"
    folder.mkdir(parents=True)
    victim = master.root / "victim"
    victim.mkdir()
    (victim / "f").write_text("kept")
    (folder / "d").symlink_to(victim)
    (folder / "f").symlink_to(victim / "f")
    (folder / ".salt-g-part-g").symlink_to(victim / "f")

    into_a_linked_folder = upload(peer, ["d", "new"])
    over_a_link = upload(peer, ["f"], b"mine")
    through_a_part = upload(peer, ["g"], b"mine")

    assert into_a_linked_folder is False and over_a_link is True and through_a_part is False
    assert os.listdir(victim) == ["f"] and (victim / "f").read_text() == "kept"
    assert not (folder / "f").is_symlink()


def test_half_an_upload_is_shown_to_nobody(start_master):
    master = start_master(file_recv=True, fileserver_backend=["minionfs"])
    peer = Peer(master, "m1", 0).sign_in()

    upload(peer, ["f"], b"123", size=6)
    half = peer.ask({"cmd": "_file_hash", "path": "m1/f", "saltenv": "base"})
    part = peer.ask({"cmd": "_file_hash", "path": "m1/.salt-g-part-f", "saltenv": "base"})
    listed = peer.ask({"cmd": "_file_list", "saltenv": "base"})
    upload(peer, ["f"], b"456", loc=3, size=6)

    assert half == "" and part == "" and listed == []
    whole = peer.ask({"cmd": "_serve_file", "path": "m1/f", "saltenv": "base", "loc": 0})
    assert whole["data"] in ("123456", b"123456")
