"""Recorded output of ethtool 6.1 for a virtio card, and refusals."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import ethtool

RING = """\
Ring parameters for eth0:
Pre-set maximums:
RX:\t\t256
RX Mini:\tn/a
RX Jumbo:\tn/a
TX:\t\t256
Current hardware settings:
RX:\t\t128
RX Mini:\tn/a
RX Jumbo:\tn/a
TX:\t\t64
RX Buf Len:\t\tn/a
"""
COALESCE = """\
Coalesce parameters for eth0:
Adaptive RX: off  TX: on
stats-block-usecs: n/a
rx-usecs: 3
rx-frames: 1
rx-frames-irq: 7
rx-usecs-low: 5
rx-frame-low: 6
tx-frame-high: 9
CQE mode RX: n/a  TX: n/a
"""
FEATURES = """\
Features for eth0:
rx-checksumming: on [fixed]
tx-checksumming: on
\ttx-checksum-ipv4: off [fixed]
scatter-gather: on
tcp-segmentation-offload: off
generic-segmentation-offload: on [requested off]
"""
PAUSE = "Pause parameters for eth0:\nAutonegotiate:\ton\nRX:\t\toff\nTX:\t\ton\nRX negotiated: on\n"
DRIVER = "driver: virtio_net\nversion: 1.0.0\nfirmware-version: \nbus-info: 0000:00:03.0\n"


@pytest.fixture
def card(programs):
    answers = {"-g eth0": RING, "-c eth0": COALESCE, "-k eth0": FEATURES, "-a eth0": PAUSE, "-i eth0": DRIVER}
    return programs(answers)


def test_rings_have_sizes_and_limits(card):
    found = ethtool.show_ring("eth0")

    assert (found["rx"], found["rx_max"], found["tx"], found["tx_max"]) == (128, 256, 64, 256)
    assert (found["rx_mini"], found["rx_jumbo_max"], len(found)) == (0, 0, 8)


def test_coalescing_has_all_parameters(card):
    found = ethtool.show_coalesce("eth0")

    assert (found["adaptive_rx"], found["adaptive_tx"]) == (0, 1)
    assert (found["rx_usecs"], found["rx_frames_irg"], found["rx_frames_low"]) == (3, 7, 6)
    assert (found["tx_frames_high"], found["stats_block_usecs"], len(found)) == (9, 0, 22)


def test_features_and_offloads_are_on_or_off(card):
    features = ethtool.show_features("eth0")

    assert features["rx-checksumming"] == {"on": True, "fixed": True}
    assert features["tx-checksum-ipv4"] == {"on": False, "fixed": True}
    assert "Features for eth0" not in features
    assert ethtool.show_offload("eth0") == {
        "scatter_gather": "on",
        "tcp_segmentation_offload": "off",
        "udp_fragmentation_offload": "off",
        "generic_segmentation_offload": "on",
    }


def test_flow_control_and_driver_are_shown(card):
    assert ethtool.show_pause("eth0") == {
        "Autonegotiate": True,
        "RX": False,
        "TX": True,
        "RX negotiated": True,
    }
    assert ethtool.show_driver("eth0") == {"driver": "virtio_net", "bus_info": "0000:00:03.0"}


def test_changes_are_words_of_the_program(card):
    ethtool.set_ring("eth0", rx_mini=100, __pub_jid="1", other=3)
    ethtool.set_coalesce("eth0", adaptive_rx=True, rx_usecs=50)
    ethtool.set_offload("eth0", tcp_segmentation_offload="off")
    ethtool.set_feature("eth0", sg=False, tso="on")
    ethtool.set_pause("eth0", autoneg="off", rx=False)

    changes = [line for line in card.lines if line.split()[1].isupper()]
    assert changes == [
        "ethtool -G eth0 rx-mini 100",
        "ethtool -C eth0 rx-usecs 50 adaptive-rx on",
        "ethtool -K eth0 tso off",
        "ethtool -K eth0 sg off tso on",
        "ethtool -A eth0 autoneg off rx off",
    ]


def test_nothing_to_change_runs_nothing(card):
    ethtool.set_ring("eth0")

    assert card.lines == ["ethtool -g eth0"]
    with pytest.raises(CommandExecutionError, match="None of the valid parameters were provided: .'autoneg'"):
        ethtool.set_pause("eth0", nosuch="off")


def test_an_unsupported_feature_of_the_card_is_reported(programs):
    programs().answer("ethtool", retcode=76, stderr="netlink error: Operation not supported")

    assert ethtool.show_ring("lo") == ethtool.show_coalesce("lo") == "Not supported"
    assert ethtool.show_driver("lo") == "Not implemented"
    assert ethtool.show_pause("lo") == ethtool.show_features("lo") == {}
    with pytest.raises(CommandExecutionError, match="ethtool -G lo: netlink error: Operation not supported"):
        ethtool.set_ring("lo", rx=4)
