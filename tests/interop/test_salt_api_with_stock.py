"""Stock's `salt-api` with a salt-g master: its front ends keep working."""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from tests.support.free_ports import free_ports
from tests.support.stock_daemon import Daemon, clean_environment

OURS = str(pathlib.Path(sys.executable).with_name("salt-g"))
#: How long anything may take on a busy machine (s).
LIMIT = 120
LOGIN = {"username": "ann", "password": "open sesame", "eauth": "sharedsecret"}


@pytest.fixture
def root():
    """Yield a directory with a short name: the path of a UNIX socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="api-", ignore_cleanup_errors=True) as made:
        yield pathlib.Path(made)


@pytest.fixture
def fleet(root):
    """Yield a master whose settings configure a front end, and its minion `m1`."""
    publish, ret, port = free_ports(3)
    master = Daemon(
        "master",
        [OURS, "master"],
        root / "master",
        {
            "interface": "127.0.0.1",
            "publish_port": publish,
            "ret_port": ret,
            "auto_accept": True,
            "external_auth": {"sharedsecret": {"ann": ["test.*", "grains.items", "@runner", "@wheel"]}},
            "sharedsecret": LOGIN["password"],
            "netapi_enable_clients": ["local", "local_async", "runner", "wheel"],
            "rest_cherrypy": {"host": "127.0.0.1", "port": port, "disable_ssl": True},
            "api_pidfile": str(root / "api.pid"),
            "api_logfile": str(root / "api.log"),
        },
    )
    minion = Daemon(
        "minion",
        [OURS, "minion"],
        root / "minion",
        {"id": "m1", "master": "127.0.0.1", "publish_port": publish, "master_port": ret},
    )
    for daemon in (master, minion):
        daemon.start()
    yield master
    for daemon in (minion, master):
        daemon.stop()


@pytest.fixture
def api(fleet, stock_bin):
    """Yield the front end: `api(path, token=..., **fields)` is its answer."""
    port = fleet.settings["rest_cherrypy"]["port"]
    with open(fleet.root / "api-output", "wb") as output:
        process = subprocess.Popen(
            [str(stock_bin / "salt-api"), "-c", str(fleet.conf)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=clean_environment(),
        )
    _wait_for(port)

    def ask(path="/", token="", **fields):
        body = urllib.parse.urlencode(fields).encode() if fields else None
        headers = {"Accept": "application/json", "X-Auth-Token": token}
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.load(answer)["return"]

    yield ask
    process.terminate()
    process.wait(LIMIT)


def _wait_for(port):
    deadline = time.monotonic() + LIMIT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), LIMIT).close()
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "salt-api did not come up"


def _wait_for_minion(fleet):
    deadline = time.monotonic() + LIMIT
    words = [OURS, "cmd", "-c", str(fleet.conf), "--out=json", "m1", "test.ping"]
    while subprocess.run(words, capture_output=True, env=clean_environment(), timeout=LIMIT).returncode:
        assert time.monotonic() < deadline, fleet.log()


def test_orders_runners_and_wheel_functions_go_through_it(fleet, api):
    _wait_for_minion(fleet)

    [session] = api("/login", **LOGIN)
    token = session["token"]

    assert sorted(session["perms"]) == ["@runner", "@wheel", "grains.items", "test.*"]
    assert api(token=token, client="local", tgt="*", fun="test.echo", arg="x") == [{"m1": "x"}]
    assert api("/run", client="local", tgt="*", fun="test.ping", **LOGIN) == [{"m1": True}]
    assert api(token=token, client="runner", fun="manage.up") == [["m1"]]
    assert api("/keys", token=token)["minions"] == ["m1"]
    [started] = api(token=token, client="local_async", tgt="*", fun="test.ping")
    assert started["minions"] == ["m1"]
    assert started["jid"] in api("/jobs", token=token)[0]
    [minions] = api("/minions/m1", token=token)
    assert minions["m1"]["id"] == "m1"


def test_rights_are_those_of_the_master(fleet, api):
    _wait_for_minion(fleet)

    with pytest.raises(urllib.error.HTTPError, match="401"):
        api("/login", **{**LOGIN, "password": "wrong"})
    token = api("/login", **LOGIN)[0]["token"]
    with pytest.raises(urllib.error.HTTPError, match="401"):
        api(token=token, client="local", tgt="*", fun="cmd.run", arg="id")
