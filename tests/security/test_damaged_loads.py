"""Slightly damaged loads from authorized peers: refused with a message, and the master survives.

Every command of minions, of the command line and of the local sockets is sent damaged, reproducibly. With
SALT_G_FUZZ_SECONDS each kind runs for that time, with new seeds.
"""

import contextlib
import os
import pathlib
import random
import secrets
import socket
import struct
import time

import pytest
import zmq

from salt_g.errors import WireError
from salt_g.wire.envelope import seal_clear
from salt_g.wire.events import bare_frame, pack_event, prefixed_frame
from salt_g.wire.packing import pack_bus
from tests.support.peers import DEADLINE, Peer, ask_clear, publish

SECONDS = float(os.environ.get("SALT_G_FUZZ_SECONDS") or 0)
#: Requests of each kind in a normal run.
COUNT = 120
#: Permitted growth of the master's memory (bytes).
GROWTH = 48 * 1024 * 1024
JID = "20261121040726000001"
#: One load per command of minions; not `revoke_auth`, which would remove the peer's key.
MINIONS = [
    *(
        {"cmd": cmd, "path": "a", "loc": 0, "saltenv": "base"}
        for cmd in ("_serve_file", "_file_find", "_file_hash")
    ),
    *({"cmd": cmd, "saltenv": "base", "prefix": ""} for cmd in ("_file_list", "_dir_list", "_symlink_list")),
    *({"cmd": cmd} for cmd in ("_file_envs", "_master_opts", "_mine_flush", "_file_list_emptydirs")),
    {"cmd": "_file_hash_and_stat", "path": "a", "saltenv": "base"},
    {"cmd": "_file_recv", "path": ["a", "b"], "data": b"x", "loc": 0, "size": 1},
    {"cmd": "_master_tops", "opts": {"id": "m1", "grains": {}}, "grains": {"os": "x"}},
    {"cmd": "_ext_nodes", "opts": {"id": "m1"}},
    {
        "cmd": "_pillar",
        "grains": {"os": "x"},
        "saltenv": "base",
        "pillarenv": None,
        "ver": "2",
        "pillar_override": {},
    },
    {"cmd": "_mine", "data": {"test.ping": True}, "clear": False, "allow_tgt": "*"},
    {"cmd": "_mine_get", "tgt": "G@os:x and *", "fun": "test.ping", "tgt_type": "compound"},
    {"cmd": "_mine_delete", "fun": "test.ping"},
    {"cmd": "_minion_event", "tag": "a/b", "data": {"x": 1}, "pretag": None},
    {"cmd": "_minion_event", "events": [{"tag": "a", "data": {"x": 1}}], "pretag": None},
    {
        "cmd": "_return",
        "jid": JID,
        "fun": "test.ping",
        "fun_args": [],
        "return": True,
        "retcode": 0,
        "out": "x",
    },
    {"cmd": "_return", "jid": "req", "fun": "test.ping", "return": 1, "metadata": {}, "user": "root"},
    {"cmd": "_return_many", "jid": JID, "returns": [{"fun": "test.ping", "return": 1, "resource": "a:b"}]},
    {"cmd": "_register_resources", "resources": {"dummy": ["a", "b"]}, "grains": {"dummy:a": {"x": 1}}},
    {"cmd": "_renew_resources", "resources": ["dummy:a"], "srns": ["dummy:a"]},
    {"cmd": "_resource_pillars", "srns": ["dummy:a"], "resources": ["dummy:a"]},
    {"cmd": "minion_pub", "fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "ret": "", "tmo": 1},
    {"cmd": "minion_publish", "fun": "test.ping", "arg": [], "tgt": "*", "ret": "", "form": "full", "tmo": 1},
    {"cmd": "minion_runner", "fun": "manage.up", "arg": []},
    {"cmd": "pub_ret", "jid": JID},
]
#: Commands of the command line that are answered at once (no logins) and have no effect.
CLEAR = [
    {"cmd": "publish", "fun": "test.ping", "arg": [1], "tgt": "*", "tgt_type": "glob", "ret": "", "jid": "",
     "kwargs": {"delimiter": ":", "batch": "1"}},
    {"cmd": "publish", "fun": ["test.ping", "test.echo"], "arg": [[], ["x"]], "tgt": ["m1"], "ret": "",
     "tgt_type": "list", "jid": ""},
    {"cmd": "runner", "fun": "test.arg", "arg": [1], "kwarg": {"a": 1}},
    {"cmd": "wheel", "fun": "key.list_all", "arg": [], "kwarg": {}},
    {"cmd": "ping"},
]  # fmt: skip
ODD = [
    *(
        None,
        True,
        -1,
        0,
        2**63,
        1.5,
        float("nan"),
        "",
        "*",
        "a/b",
        "../x",
        "\0",
        "ü",
        "x" * 5000,
        b"\xff",
        b"",
    ),
    *(
        [],
        [[]],
        [None],
        {},
        {"a": {}},
        {"": None},
        {1: 2},
        [["a"] * 50],
        "G@os:x",
        "( ",
        "20261121040726000001",
        "9" * 20,
    ),
]


def damaged(load, draw):
    """Return a load with one to three parts replaced, renamed, removed or added; `cmd` stays."""
    load = dict(load)
    for _ in range(draw.randint(1, 3)):
        name = draw.choice([name for name in load if name != "cmd"] or ["x"])
        way = draw.randrange(5)
        if way == 0:
            load.pop(name, None)
        elif way == 1:
            load[draw.choice(["id", "jid", "tgt", "fun", "arg", "kwargs", "x", "user", "key"])] = draw.choice(
                ODD
            )
        elif way == 2 and isinstance(load.get(name), dict) and load[name]:
            load[name] = {**load[name], draw.choice(list(load[name])): draw.choice(ODD)}
        elif way == 3 and isinstance(load.get(name), list):
            load[name] = [*load[name], draw.choice(ODD)]
        else:
            load[name] = draw.choice(ODD)
    return load


def edited(frame, draw):
    """Return bytes with some of them changed, removed or repeated."""
    frame = bytearray(frame)
    for _ in range(draw.randrange(4)):
        place = draw.randrange(len(frame) + 1)
        frame[place : place + draw.choice((0, 1, 4))] = draw.randbytes(draw.choice((0, 1, 4)))
    return bytes(frame * draw.choice((1, 1, 3)))


def draws():
    """Yield random generators, with a fixed seed unless it is a long run."""
    end, count = time.monotonic() + SECONDS, 0
    seed = secrets.randbits(32) if SECONDS else 26
    print("seed", seed)
    draw = random.Random(seed)
    while count < COUNT or time.monotonic() < end:
        count += 1
        yield draw
    print("requests", count)


def resident(pid):
    """Return the resident memory of a process in bytes."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def unharmed(master):
    """Check that the master is unharmed: it serves, has not grown, and logs no traceback."""
    peer = Peer(master, "m1", 0).sign_in()
    memory, log_length = resident(master.pid), len(master.log())
    yield peer
    assert master.is_running()
    assert Peer(master, "m1", 0).sign_in().ask({"cmd": "_file_envs"}) == ["base"]
    assert publish(master, "test.ping")["minions"] == ["m1"]
    assert resident(master.pid) - memory < GROWTH
    news = master.log()[log_length:]
    assert "Traceback" not in news, news[: news.index("Traceback") + 6000][-8000:]


@contextlib.contextmanager
def asking(master):
    """Yield a function that sends one request over a shared connection and returns the response."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as link:
        link.linger = 0
        link.connect(f"tcp://127.0.0.1:{master.ret_port}")

        def ask(payload):
            link.send_multipart([b"", payload])
            assert link.poll(DEADLINE * 1000), "the master did not answer"
            return link.recv_multipart()[-1]

        yield ask


@pytest.mark.parametrize("kind", ["sealed", "clear"])
def test_damaged_loads_are_refused_in_words(shared_master, kind):
    with unharmed(shared_master) as peer, asking(shared_master) as ask:
        for draw in draws():
            load = damaged(draw.choice(MINIONS if kind == "sealed" else CLEAR), draw)
            if kind == "clear":
                load.setdefault("key", shared_master.root_key)
                load.setdefault("user", shared_master.settings["user"])
            # A value that cannot be encoded is skipped.
            with contextlib.suppress(WireError):
                ask(peer.seal(load) if kind == "sealed" else seal_clear(load, version=3))


def frames_of(name):
    """Return valid frames for a local socket."""
    events = [pack_event("a/b", {"x": 1}), pack_event("salt/job/1/ret/m1", {"return": True, "id": "m1"})]
    if "event" in name or "publish" in name:
        return [form(body) for body in events for form in (bare_frame, prefixed_frame)]
    asks = [{"n": 1, "load": load} for load in CLEAR]
    asks += [
        {"n": 2, "follow": [["salt/", "startswith"]]},
        {"n": 3, "fire": ["a", {}]},
        {"leave": [["a", "x"]]},
    ]
    packed = [pack_bus(ask) for ask in asks]
    return [struct.pack(">I", len(one)) + one for one in packed]


def test_damaged_frames_on_local_sockets_harm_nobody(shared_master):
    with unharmed(shared_master):
        for path in sorted(shared_master.sock_dir.iterdir()):
            for draw in draws():
                with socket.socket(socket.AF_UNIX) as link, contextlib.suppress(OSError):
                    link.settimeout(DEADLINE)
                    link.connect(str(path))
                    link.sendall(edited(draw.choice(frames_of(path.name)), draw))
                    link.shutdown(socket.SHUT_WR)


def test_damaged_bytes_on_the_ports_harm_nobody(shared_master):
    greeting = (
        b"\xff"
        + bytes(8)
        + b"\x7f\x03\x00NULL"
        + bytes(48)
        + b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"
    )
    with unharmed(shared_master):
        for port in (shared_master.ret_port, shared_master.publish_port):
            for draw in draws():
                with socket.socket() as link, contextlib.suppress(OSError):
                    link.settimeout(DEADLINE)
                    link.connect(("127.0.0.1", port))
                    link.sendall(edited(greeting + seal_clear({"cmd": "_auth"}, version=3), draw))


def test_the_command_line_is_still_answered(shared_master):
    assert ask_clear(shared_master, {"cmd": "ping"}) is not None
