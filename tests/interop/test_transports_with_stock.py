"""Transports `tcp` and `ws`, with and without TLS: a master and a minion of which one is stock's."""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pytest

from tests.support.certificates import tls_settings
from tests.support.free_ports import free_ports
from tests.support.stock_daemon import Daemon, clean_environment
from tests.support.waiting import until

OURS = pathlib.Path(sys.executable).with_name("salt-g")
#: How long anything may take on a busy machine (s).
LIMIT = 120
#: (kind of the master, kind of the minion, transport, whether TLS is on).
PAIRS = [
    ("ours", "stock", "tcp", False),
    ("ours", "stock", "ws", False),
    ("ours", "stock", "tcp", True),
    ("ours", "stock", "ws", True),
    ("stock", "ours", "tcp", False),
    ("stock", "ours", "ws", False),
    ("stock", "ours", "tcp", True),
    ("stock", "ours", "ws", True),
]
#: With TLS stock's pools of workers answer every minion, their own kind too, with "Internal routing error".
WITHOUT_POOLS = {"worker_pools_enabled": False}


@pytest.fixture(params=PAIRS, ids=lambda pair: "-".join(map(str, pair[:3])) + ("-tls" if pair[3] else ""))
def pair(request, stock_bin, tmp_path):
    """Yield a running master and its minion, and the command that talks to the master."""
    of_master, of_minion, transport, is_secure = request.param
    # Not below tmp_path: the path of a UNIX socket has 107 bytes at most.
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    common = {"transport": transport, **({"ssl": tls_settings(tmp_path)} if is_secure else {})}
    own = {"auto_accept": True, **(WITHOUT_POOLS if is_secure and of_master == "stock" else {})}
    publish, ret = free_ports(2)
    master = Daemon(
        "master",
        [str(OURS), "master"] if of_master == "ours" else [str(stock_bin / "salt-master")],
        root / "master",
        {**common, "interface": "127.0.0.1", "publish_port": publish, "ret_port": ret, **own},
    )
    minion = Daemon(
        "minion",
        [str(OURS), "minion"] if of_minion == "ours" else [str(stock_bin / "salt-minion")],
        root / "minion",
        {**common, "id": "m1", "master": "127.0.0.1", "publish_port": publish, "master_port": ret},
    )
    master.start()
    # Stock's minion does not recover from a first WebSocket that is refused.
    until(lambda: _is_listening(publish) and _is_listening(ret), "the ports of the master", seconds=LIMIT)
    minion.start()
    yield master, [str(OURS), "cmd"] if of_master == "ours" else [str(stock_bin / "salt")]
    for daemon in (minion, master):
        daemon.stop()
    shutil.rmtree(root, ignore_errors=True)


def _is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _value(command, conf, *words):
    """Return the value for `m1` as soon as it answers."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        finished = subprocess.run(
            [*command, "-c", str(conf), "--out=json", "--static", "-t", "10", "-L", "m1", *words],
            capture_output=True, text=True, timeout=LIMIT, env=clean_environment(), stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if (
            '"m1"' in finished.stdout
            and "No response" not in finished.stdout
            and "not return" not in finished.stdout
        ):
            return json.loads(finished.stdout)["m1"]
    raise AssertionError(f"no answer: {finished}")


def test_jobs_travel_and_return(pair):
    master, command = pair

    assert _value(command, master.conf, "test.echo", "a") == "a"
    assert len(_value(command, master.conf, "cmd.run", "printf %0300000d 0")) == 300_000
