"""No message of a peer occupies a master's hub for long, whatever its content."""

import secrets
import struct
import tempfile
import time

import pytest

from salt_g.data import jid as jids
from salt_g.errors import SaltGError
from salt_g.wire import requests as sealed
from salt_g.wire.packing import pack
from tests.support.cpu_speed import slowness
from tests.support.hub_turns import HubTurns
from tests.support.peers import Peer, ask_raw, publish

MIB = 1024 * 1024
#: Longest permitted turn of the hub (s of processor time of a usual machine).
LONGEST = 0.05
#: Placeholder in a packed load, replaced with the worst content.
PLACE = "the-place-of-the-worst"


def listed(number, item):
    """Return a packed list of many small packed items."""
    return b"\xdd" + struct.pack(">I", number) + item * number


def keyed(number, item=b"\x90"):
    """Return a packed map of many short keys."""
    keys = (b"\xa6%06x" % n for n in range(number))
    return b"\xdf" + struct.pack(">I", number) + b"".join(key + item for key in keys)


def text(data):
    """Return packed text, or invalid text."""
    return b"\xdb" + struct.pack(">I", len(data)) + data


#: Packed values that a peer may send where a command accepts any value.
WORST = {
    "lists of nothing": lambda: listed(198_000, b"\x90"),
    "too many lists of nothing": lambda: listed(990_000, b"\x90"),
    "lists in lists": lambda: listed(95_000, b"\x91\x91\xc0"),
    "maps of nothing": lambda: listed(198_000, b"\x80"),
    "numbers": lambda: listed(990_000, b"\x01"),
    "a map of lists": lambda: keyed(190_000),
    "a map of numbers": lambda: keyed(600_000, b"\x01"),
    "just below a native thread": lambda: listed(15_500, b"\x90"),
    # Twice in one load it is a little less than the largest message.
    "text": lambda: text(b"a" * (30 * MIB)),
    "text that is none": lambda: text(b"\xff" * (24 * MIB)),
    "wide text": lambda: text("😀".encode() * (6 * MIB)),
    "failed states": lambda: keyed(40_000, b"\x82\xa6result\xc2\xa4name\xa1x"),
    "one failed state": lambda: keyed(1, b"\x82\xa6result\xc2\xa4name" + text(b"a" * (24 * MIB))),
}
#: Large contents, tried only where they are processed: each takes seconds.
LARGE = ("text", "text that is none", "wide text", "one failed state")


@pytest.fixture(scope="module")
def watched(fleet):
    """Return (a master, its long turns)."""
    turns = HubTurns(tempfile.mkdtemp(prefix="sg-turns-"))
    master = fleet[0](
        file_recv=True,
        log_level="warning",
        peer={".*": [".*"]},
        peer_run={".*": [".*"]},
        keep_jobs_bytes=400_000_000,
        **turns.settings,
    )
    turns.begin()
    return master, turns


def send(peer, load, worst):
    """Send a load with packed content at PLACE; return the response, None for a refusal."""
    inner = {**load, "id": peer.id, "ts": 0, "nonce": secrets.token_hex(16), "tok": sealed.make_tok(peer.key)}
    inner["ts"] = int(time.time())
    plain = b"pickle::" + pack(inner).replace(pack(PLACE), worst)
    envelope = {"enc": "aes", "load": peer.grant.session.seal_plain(plain), "version": 3, "id": peer.id}
    reply = ask_raw(peer.master.ret_port, pack(envelope))
    try:
        return sealed.open_reply(reply, peer.grant.session, inner["nonce"])
    except SaltGError:
        return None


def job(master):
    return publish(master, "state.apply", tgt="m1")["jid"]


LOADS = {
    "a return": lambda m: {
        "cmd": "_return",
        "jid": job(m),
        "fun": "state.apply",
        "return": PLACE,
        "retcode": 2,
    },
    "an unasked return": lambda m: {"cmd": "_return", "jid": jids.make(), "fun": "a.b", "return": PLACE},
    "a return of its own": lambda m: {
        "cmd": "_return",
        "jid": "req",
        "fun": "a.b",
        "return": PLACE,
        "arg": PLACE,
    },
    "a return without a place": lambda m: {"cmd": "_return", "jid": "nocache", "fun": "a.b", "return": PLACE},
    "a signed return": lambda m: {
        "cmd": "_return",
        "jid": job(m),
        "fun": "a",
        "return": PLACE,
        "sig": "x" * 256,
    },
    "several returns": lambda m: {
        "cmd": "_return_many",
        "returns": [{"jid": job(m), "fun": "state.apply", "return": PLACE, "retcode": 2}],
    },
    "the mine": lambda m: {"cmd": "_mine", "data": {"f.a": PLACE}},
    "an event": lambda m: {"cmd": "_minion_event", "tag": "my/tag", "data": {"x": PLACE}},
    "events": lambda m: {"cmd": "_minion_event", "events": [{"tag": "a/b", "data": {"x": PLACE}}]},
    "grains": lambda m: {"cmd": "_pillar", "grains": {"os": PLACE}, "saltenv": "base"},
    "an override": lambda m: {
        "cmd": "_pillar",
        "grains": {},
        "saltenv": "base",
        "pillar_override": {"x": PLACE},
    },
    "an order": lambda m: {
        "cmd": "minion_pub",
        "fun": "test.ping",
        "tgt": "m2",
        "arg": [PLACE],
        "ret": "",
        "tmo": 1,
    },
    "a question for the mine": lambda m: {"cmd": "_mine_get", "tgt": PLACE, "fun": "f.a", "tgt_type": "list"},
    "a run": lambda m: {"cmd": "minion_runner", "fun": "test.arg", "arg": [PLACE]},
    "a file": lambda m: {"cmd": "_file_recv", "path": ["a"], "loc": 0, "data": PLACE, "size": 10},
    "a path": lambda m: {"cmd": "_serve_file", "path": PLACE, "saltenv": "base", "loc": 0},
    "resources": lambda m: {"cmd": "_register_resources", "resources": {"thing": PLACE}},
    "nothing known": lambda m: {"cmd": "_nothing", "x": PLACE},
}


#: How often a load is sent when it seems to hold the hub. Moving 60 MiB takes longer while others use the
#: memory, which passes; what the hub does for a load takes its time every time.
TRIES = 3


CASES = [
    (load, worst)
    for worst in WORST
    for load in (("a return", "a return of its own", "the mine", "an event") if worst in LARGE else LOADS)
]


@pytest.mark.parametrize(("load", "worst"), CASES)
def test_no_load_holds_the_hub(watched, load, worst):
    master, turns = watched
    peer = Peer(master, "m1", 0).sign_in()
    longest = []
    while len(longest) < TRIES:
        before = len(turns.noted())
        send(peer, LOADS[load](master), WORST[worst]())
        for _ in range(3):
            assert peer.ask({"cmd": "_file_envs"}) == ["base"]
        longest.append(max(turns.noted()[before:], default=(0.0, "")))
        if longest[-1][0] < LONGEST * slowness():
            return

    seconds, where = min(longest)
    pytest.fail(f"{load} with {worst}: {seconds:.3f} s each time, then in\n{where}")
