"""TCP connections, from a recorded /proc/net."""

import sys

import pytest

from salt_g.modules._connections import End, established

TITLES = "  sl  local_address rem_address   st tx_queue rx_queue\n"


@pytest.mark.skipif(sys.byteorder != "little", reason="the recorded addresses are of a little-endian machine")
def test_established_connections_of_both_families(tmp_path):
    net = tmp_path / "proc/net"
    net.mkdir(parents=True)
    (net / "tcp").write_text(
        TITLES
        + "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000\n"
        + "   1: 020200C0:D9C4 010200C0:1199 01 00000000:00000000\n"
    )
    (net / "tcp6").write_text(
        TITLES + "   0: 000000FD000000000000000002000000:0016 000000FD000000000000000001000000:C350 01 0:0\n"
    )

    assert established(str(tmp_path)) == [
        (End("192.0.2.2", 55748), End("192.0.2.1", 4505)),
        (End("fd00::2", 22), End("fd00::1", 50000)),
    ]


def test_a_machine_without_the_table_has_no_connections(tmp_path):
    assert established(str(tmp_path)) == []
