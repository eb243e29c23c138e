"""No frame of a local peer or of the HTTP API occupies a master's hub for long, whatever its content."""

import socket
import struct
import tempfile

import pytest

from salt_g.client.frames import SOCKET as LOCAL
from salt_g.client.frames import FrameCutter, frame
from salt_g.http_api.master_link import SOCKET as FRONT_END
from tests.support.cpu_speed import slowness
from tests.support.hub_turns import HubTurns
from tests.support.waiting import DEADLINE

#: Longest permitted turn of the hub (s of processor time of a usual machine).
LONGEST = 0.05
#: Packed lists in a frame of 1 MiB, which any local user may send.
WORST = {
    "lists of nothing": b"\xdd" + struct.pack(">I", 1_000_000) + b"\x90" * 1_000_000,
    "lists in lists": b"\xdd" + struct.pack(">I", 330_000) + b"\x91\x91\xc0" * 330_000,
    "numbers": b"\xdd" + struct.pack(">I", 1_000_000) + b"\x01" * 1_000_000,
}


@pytest.fixture(scope="module")
def watched(fleet):
    """Return (a master, its long turns)."""
    turns = HubTurns(tempfile.mkdtemp(prefix="sg-turns-"))
    users = {"sharedsecret": {"ann": [".*"]}}
    master = fleet[0](log_level="warning", external_auth=users, sharedsecret="x", **turns.settings)
    turns.begin()
    return master, turns


@pytest.mark.parametrize("worst", WORST)
@pytest.mark.parametrize("name", [LOCAL, FRONT_END])
def test_no_frame_holds_the_hub(watched, name, worst):
    master, turns = watched
    before = len(turns.noted())

    answer = _ask(f"{master.sock_dir}/{name}", WORST[worst])

    assert answer["n"] == 7
    long = [one for one in turns.noted()[before:] if one[0] > LONGEST * slowness()]
    assert not long, long


def _ask(path, packed):
    """Send a frame with packed content and return the answer."""
    place = "the-place"
    whole = frame({"n": 7, "load": {"cmd": "mk_token", "password": place}, "source": "x"})[4:]
    whole = whole.replace(bytes([0xA0 + len(place)]) + place.encode(), packed)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(DEADLINE)
        connection.connect(path)
        connection.sendall(len(whole).to_bytes(4, "big") + whole)
        cutter = FrameCutter()
        while True:
            for message in cutter.feed(connection.recv(1 << 16)):
                if message.get("n") == 7:
                    return message
