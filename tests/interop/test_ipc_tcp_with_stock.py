"""`ipc_mode: tcp`: the tools of both programs use the buses of either over loopback ports."""

import json
import pathlib
import subprocess
import sys
import time

import pytest

from tests.support.free_ports import free_ports
from tests.support.stock_daemon import Daemon, clean_environment

OURS = str(pathlib.Path(sys.executable).with_name("salt-g"))
#: How long anything may take on a busy machine (s).
LIMIT = 120


@pytest.fixture(params=["ours", "stock"])
def fleet(request, stock_bin, tmp_path):
    """Yield a master and its minion, both ours or both stock's."""
    if request.param == "ours":
        commands = {"master": [OURS, "master"], "minion": [OURS, "minion"]}
    else:
        commands = {role: [str(stock_bin / f"salt-{role}")] for role in ("master", "minion")}
    publish, ret, *ports = free_ports(8)
    tcp = {"ipc_mode": "tcp", "interface": "127.0.0.1"}
    names = ("pub_port", "pull_port", "publish_pull", "workers")
    of_master = {f"tcp_master_{name}": port for name, port in zip(names, ports[:4], strict=True)}
    of_minion = {"tcp_pub_port": ports[4], "tcp_pull_port": ports[5], "id": "m1", "master": "127.0.0.1"}
    master = Daemon(
        "master",
        commands["master"],
        tmp_path / "master",
        {**tcp, **of_master, "publish_port": publish, "ret_port": ret, "auto_accept": True},
    )
    minion = Daemon(
        "minion", commands["minion"], tmp_path / "minion", {**tcp, **of_minion, "master_port": ret}
    )
    daemons = (master, minion)
    for daemon in daemons:
        daemon.start()
    yield daemons
    for daemon in reversed(daemons):
        daemon.stop()


def _run(*words):
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
    )


def _value(command, conf, *words):
    """Return the value for `m1` as soon as it answers."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        result = _run(*command, "-c", conf, "--out=json", "--static", "-t", "10", *words)
        if (
            '"m1"' in result.stdout
            and "No response" not in result.stdout
            and "not return" not in result.stdout
        ):
            return json.loads(result.stdout)["m1"]
    raise AssertionError(f"no answer: {result}")


def test_the_tools_of_both_use_the_buses_of_either(fleet, stock_bin):
    master, minion = fleet

    assert _value([OURS, "cmd"], master.conf, "m1", "test.echo", "a") == "a"
    assert _value([stock_bin / "salt"], master.conf, "m1", "test.echo", "b") == "b"
    for call in ([OURS, "call"], [stock_bin / "salt-call"]):
        fired = _run(*call, "-c", minion.conf, "--out=json", "event.fire", "{x: 1}", "test/tag")
        assert json.loads(fired.stdout) == {"local": True}, fired.stderr
    assert not list((master.root / "run").glob("*_event_*.ipc"))
    assert not list((minion.root / "run").glob("*_event_*.ipc"))
