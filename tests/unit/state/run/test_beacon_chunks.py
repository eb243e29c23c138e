"""Chunks that configure beacons."""

from salt_g.shapes import low_tag
from salt_g.state.compile.node import Node
from salt_g.state.run.beacon_chunks import beacon_nodes

LOW = {"state": "file", "__id__": "conf", "name": "/etc/x", "fun": "managed", "order": 1}


def node(**more):
    low = {**LOW, **more}
    return Node(low, tag=low_tag(low))


def test_a_chunk_with_a_beacon_is_followed_by_its_configuration():
    [found] = beacon_nodes([node(beacon=True, require=[{"pkg": "x"}], interval=5), node()])

    assert found.low == {
        **LOW,
        "beacon": True,
        "interval": 5,
        "fun": "mod_beacon",
        "sfun": "managed",
        "__id__": "beacon_conf",
    }
    assert found.tag == low_tag(found.low)
