"""Owners of connections, by tables as the kernel writes them."""

import os
import socket

import pytest

from salt_g.net import tcp_table

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
ENDS = ("127.0.0.1", 0x1234), ("127.0.0.1", 0x5678)
V4 = "0100007F:1234 0100007F:5678"
MAPPED = "0000000000000000FFFF00000100007F:1234 0000000000000000FFFF00000100007F:5678"


@pytest.fixture
def table(tmp_path):
    """Return a function that returns the owner according to a table of lines (ends, state, uid, inode)."""

    def owner(*entries, ends=ENDS):
        lines = [
            f"   {number}: {ends} {state} 0:10 0:0 0 {uid} 0 {inode} 1 0\n"
            for number, (ends, state, uid, inode) in enumerate(entries)
        ]
        path = tmp_path / "tcp"
        path.write_text(HEAD + "".join(lines))
        return tcp_table.owner_among(tcp_table.listed(*ends, tables=(str(path), str(tmp_path / "none"))))

    return owner


@pytest.mark.parametrize("ends", [V4, MAPPED])
def test_an_established_connection_is_its_users(table, ends):
    rows = ("0100007F:1234 0100007F:5679", "01", 5, 9), (ends, "01", 1000, 77)

    assert table(*rows) == 1000
    mapped = ("::ffff:127.0.0.1", 0x1234, 0, 0), ("::ffff:127.0.0.1", 0x5678, 0, 0)
    assert table(*rows, ends=mapped) == 1000


@pytest.mark.parametrize("state", ["02", "03", "04", "05", "06", "07", "08", "09", "0A", "0B", "0C"])
def test_a_connection_in_any_other_state_has_no_owner(table, state):
    assert table((V4, state, 0, 77)) is None


def test_a_connection_without_an_inode_has_no_owner(table):
    assert table((V4, "01", 0, 0)) is None


def test_an_ambiguous_connection_has_no_owner(table):
    assert table((V4, "01", 0, 7), (MAPPED, "01", 1000, 8)) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_ends_of_real_connections_are_found(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server, socket.socket(family) as client:
        client.connect(server.getsockname()[:2])
        taken, _ = server.accept()
        with taken:
            ends = client.getsockname(), client.getpeername()

            assert tcp_table.owner(*ends) == os.geteuid()
            client.sendall(b"four")
            for looked_up in (tcp_table.rows, tcp_table.listed):
                assert [row.unread for row in looked_up(*reversed(ends))] == [4]
                assert tcp_table.owner_among(looked_up(*ends)) == os.geteuid()
            client.close()
            assert tcp_table.owner(*ends) is None
            assert tcp_table.owner_among(tcp_table.listed(*ends)) is None


def test_a_sender_waits_until_all_was_read():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        taken, _ = server.accept()
        with taken:
            client.sendall(b"four")
            looks = []

            def look(seconds):
                looks.append(seconds)
                taken.recv(2)

            tcp_table.wait_until_read(client, pause=look)

            assert len(looks) == 2
