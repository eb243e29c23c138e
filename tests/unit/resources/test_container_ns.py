"""Namespaces and roots: paths, accounts and words, without entering any."""

import os

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.resources.container_ns.accounts import account, gid_of, uid_of
from salt_g.resources.container_ns.inner_paths import within
from salt_g.resources.container_ns.modules.network import _interface
from salt_g.resources.container_ns.nsenter import NamespaceEntry, read_entry

PASSWD = "root:x:0:0:root:/root:/bin/sh\napp:x:1234:77:App:/srv/app:/bin/sh\n"
ADDRESSES = {
    "ifname": "a0",
    "flags": ["BROADCAST", "UP"],
    "address": "02:00:00:00:00:01",
    "link": "b0",
    "addr_info": [
        {"family": "inet", "local": "192.0.2.1", "prefixlen": 24, "broadcast": "192.0.2.255", "label": "a0"},
        {"family": "inet", "local": "192.0.2.2", "prefixlen": 24, "label": "a0", "secondary": True},
        {"family": "inet6", "local": "fe80::1", "prefixlen": 64, "scope": "link"},
    ],
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/etc/hosts", "etc/hosts"),
        ("/absolute/hosts", "etc/hosts"),
        ("/etc/../../../etc/hosts", "etc/hosts"),
        ("/up/hosts", "hosts"),
        ("/not/yet/there", "not/yet/there"),
        ("/absolute", "etc"),
    ],
)
def test_paths_stay_below_the_root_whatever_links_say(tmp_path, path, found):
    (tmp_path / "etc").mkdir()
    (tmp_path / "absolute").symlink_to("/etc")
    (tmp_path / "up").symlink_to("../../../..")

    assert within(str(tmp_path), path) == str(tmp_path / found)


def test_a_link_at_the_end_is_left_alone_when_it_is_meant_itself(tmp_path):
    (tmp_path / "link").symlink_to("/etc/passwd")

    assert within(str(tmp_path), "/link", follow=False) == str(tmp_path / "link")


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    with pytest.raises(CommandExecutionError, match="too many links"):
        within(str(tmp_path), "/a")


def test_users_and_groups_have_the_numbers_of_the_root(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text(PASSWD)
    (tmp_path / "etc/group").write_text("root:x:0:\nstaff:x:50:app\n")
    root = str(tmp_path)

    assert account(root, "app", "staff") == (1234, 50, "app", "/srv/app")
    assert (uid_of(root, "app"), gid_of(root, "staff"), uid_of(root, 7)) == (1234, 50, 7)
    with pytest.raises(CommandExecutionError, match="User 'nobody' is not available"):
        account(root, "nobody", None)


def test_the_words_name_namespaces_root_directory_and_user():
    entry = NamespaceEntry(("--mount=/proc/7/ns/mnt", "--net=/run/netns/edge"), "/srv/image")
    who = account("/nowhere", "12", "34")

    words = entry.words(["id"], cwd="/srv/image/tmp", who=who)

    assert words == [
        "nsenter",
        *entry.namespaces,
        "--root=/srv/image",
        "--wd=/srv/image/tmp",
        "--setuid=12",
        "--setgid=34",
        "--",
        "id",
    ]
    assert entry.network_words(["ip"]) == ["nsenter", "--net=/run/netns/edge", "--", "ip"]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "none of the settings netns, root and pid"),
        ({"netns": "../../proc/1/ns/net"}, "there is no network namespace"),
        ({"root": "/"}, "not the absolute path of a directory other than /"),
        ({"root": "relative"}, "not the absolute path"),
        ({"root": "/does/not/exist"}, "not the absolute path"),
        ({"pid": "one"}, "not the number of a process"),
        ({"pid": 2**31}, "there is no process"),
    ],
)
def test_an_impossible_entrance_is_refused_with_the_setting(tmp_path, settings, text):
    with pytest.raises(CommandExecutionError, match=text):
        read_entry("edge", settings, namespaces=str(tmp_path))


def test_a_process_of_this_very_namespace_has_nothing_to_enter(tmp_path):
    entry = read_entry("me", {"pid": os.getpid()}, namespaces=str(tmp_path))

    assert entry.namespaces == ()


def test_interfaces_have_the_shape_of_those_of_a_minion():
    assert _interface(ADDRESSES) == {
        "up": True,
        "parent": "b0",
        "hwaddr": "02:00:00:00:00:01",
        "inet": [
            {"address": "192.0.2.1", "netmask": "255.255.255.0", "broadcast": "192.0.2.255", "label": "a0"}
        ],
        "inet6": [{"address": "fe80::1", "prefixlen": "64", "scope": "link"}],
        "secondary": [
            {
                "type": "inet",
                "address": "192.0.2.2",
                "netmask": "255.255.255.0",
                "broadcast": None,
                "label": "a0",
            }
        ],
    }
