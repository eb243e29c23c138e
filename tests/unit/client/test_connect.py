"""Choice of the master to connect to, and of the user and key."""

import os
import pwd
import socket
import tempfile

import pytest

from salt_g.client.connect import open_link, read_key, user_name
from salt_g.client.frames import SOCKET
from salt_g.client.stock_link import StockLink
from salt_g.client.unix_link import UnixLink
from salt_g.errors import MasterUnreachable

PORTS = {"ipc_mode": "tcp", "tcp_master_pub_port": 1, "tcp_master_pull_port": 2}


@pytest.fixture
def opts(open_directory):
    folder = tempfile.mkdtemp(dir=open_directory)
    return {"sock_dir": folder, "cachedir": folder, "interface": "127.0.0.1", "ret_port": 4506}


def listen(opts, name):
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(os.path.join(opts["sock_dir"], name))
    listening.listen()
    return listening


def test_our_master_comes_before_a_stock_master(opts):
    with listen(opts, "master_event_pub.ipc"):
        stock = open_link(opts)
        with listen(opts, SOCKET):
            ours = open_link(opts)

    assert (type(stock), type(ours)) == (StockLink, UnixLink)
    stock.close()
    ours.close()


def test_where_no_master_is_the_directory_is_named(opts):
    with pytest.raises(MasterUnreachable, match=opts["sock_dir"]):
        open_link(opts)

    # Ports are no files.
    assert type(open_link({**opts, **PORTS})) is StockLink


@pytest.mark.parametrize("ports", [{}, PORTS], ids=["sockets", "ports"])
def test_a_killed_master_of_ours_is_not_taken_for_one_of_stock(opts, ports):
    for name in ("master_event_pub.ipc", SOCKET):
        listen(opts, name).close()

    with pytest.raises(MasterUnreachable, match="Is master running"):
        open_link({**opts, **ports})


def test_the_user_who_became_root_through_sudo_is_named(monkeypatch):
    own = pwd.getpwuid(os.geteuid()).pw_name
    monkeypatch.delenv("SUDO_USER", raising=False)
    assert user_name() == own

    monkeypatch.setenv("SUDO_USER", "ops")
    assert user_name() == ("sudo_ops" if own == "root" else own)


def test_the_key_is_that_of_the_masters_user_for_root_and_empty_where_there_is_none(opts, monkeypatch):
    monkeypatch.delenv("SUDO_USER", raising=False)
    name = "salt" if user_name() == "root" else user_name()
    settings = {**opts, "user": "salt"}
    assert read_key(settings) == ""

    with open(os.path.join(opts["cachedir"], f".{name}_key"), "w") as file:
        file.write("k" * 5000)

    assert read_key(settings) == "k" * 4096


def test_the_socket_of_a_killed_master_does_not_hide_a_stock_master(opts):
    listen(opts, SOCKET).close()

    with pytest.raises(MasterUnreachable, match=opts["sock_dir"]):
        open_link(opts)
    with listen(opts, "master_event_pub.ipc"):
        link = open_link(opts)

    assert type(link) is StockLink
    link.close()
