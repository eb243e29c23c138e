"""The roster of open ports in a network."""

import socket

import pytest

from salt_g.errors import RosterError


def test_addresses_with_an_open_port_are_hosts(targets):
    with socket.create_server(("127.0.0.2", 0)) as server:
        port = server.getsockname()[1]
        found = targets("scan", "127.0.0.0/29", ssh_scan_ports=f"1,{port}", ssh_scan_timeout=0.5)

    assert found == {"127.0.0.2": {"host": "127.0.0.2", "port": port}}


@pytest.mark.parametrize(("tgt", "words"), [("web*", "an address or a network"), ("10.0.0.0/8", "more than")])
def test_other_targets_are_refused(targets, tgt, words):
    with pytest.raises(RosterError, match=words):
        targets("scan", tgt)


@pytest.mark.parametrize("ports", ["abc", "22,x", "", "0", "70000"])
def test_an_invalid_port_list_is_refused(targets, ports):
    with pytest.raises(RosterError, match="--scan-ports"):
        targets("scan", "127.0.0.1", ssh_scan_ports=ports)


def test_a_word_that_is_no_address_is_left_out_of_several(targets, caplog):
    with socket.create_server(("127.0.0.2", 0)) as server:
        port = server.getsockname()[1]
        words = ["127002", "127.0.0.0/30"]
        found = targets("scan", words, "list", ssh_scan_ports=str(port), ssh_scan_timeout=0.5)

    assert list(found) == ["127.0.0.2"]
    assert "127002 is left out" in caplog.text
