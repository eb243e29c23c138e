"""The engines `script` and `webhook` in real daemons."""

import contextlib
import http.client
import sys

import pytest

from salt_g.client import LocalEventBus
from salt_g.config import load
from tests.support.free_ports import free_port

#: How long something that is to happen may take on a busy machine (s).
DEADLINE = 90.0


@pytest.fixture
def follow():
    """Yield a function that collects the events of a master from now on."""
    with contextlib.ExitStack() as stack:

        def begin(master):
            bus = LocalEventBus(load("master", str(master.config_dir)).opts)
            stack.callback(bus.destroy)

            def wait(tag):
                event = bus.get_event(wait=DEADLINE, tag=tag, full=True)
                assert event is not None, f"no event {tag} came, the master's log:\n{master.log()}"
                return event

            return wait

        yield begin


def ticking(tmp_path):
    """Return the settings of an engine that fires an event repeatedly."""
    path = tmp_path / "tick.py"
    path.write_text("""print('{"tag": "tick", "data": {"said": true}}')""")
    return {"script": {"cmd": f"{sys.executable} {path}", "interval": 0.1}}


def post(wait, port, path, body):
    """Post to the webhook; until its port is open, retry at each tick."""
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        with contextlib.closing(connection), contextlib.suppress(ConnectionRefusedError):
            connection.request("POST", path, body, {"X-Kind": "test"})
            with connection.getresponse() as answer:
                return answer.status
        wait("tick")


def test_a_master_makes_events_of_lines_and_of_hooks(start_master, follow, tmp_path):
    port = free_port()
    hooks = {"webhook": {"address": "127.0.0.1", "port": port}}
    master = start_master(engines=[ticking(tmp_path), hooks])
    wait = follow(master)

    assert wait("tick")["data"].items() >= {"said": True, "id": load_id(master)}.items()
    assert post(wait, port, "/deploy/web", b"\xff") == 200
    event = wait("salt/engines/hook/")

    assert event["tag"] == "salt/engines/hook/deploy/web"
    assert event["data"]["body"] == b"\xff"
    assert event["data"]["headers"]["X-Kind"] == "test"


def load_id(master):
    return load("master", str(master.config_dir)).opts["id"]


def test_hooks_of_a_minion_reach_the_master(start_master, start_minion, follow, tmp_path):
    port = free_port()
    master = start_master()
    wait = follow(master)
    start_minion(master, engines=[ticking(tmp_path), {"webhook": {"address": "127.0.0.1", "port": port}}])

    assert wait("tick")["data"]["data"] == {"said": True, "id": "m1"}
    assert post(wait, port, "/deploy", b"now") == 200
    event = wait("salt/engines/hook/")

    assert event["tag"] == "salt/engines/hook/m1/deploy"
    assert (event["data"]["id"], event["data"]["data"]["body"]) == ("m1", "now")
