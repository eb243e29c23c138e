"""The process of the drivers: the minion's greenlets run while a driver blocks."""

import os
import subprocess
import sys

DRIVER = """
import time
from napalm.base.base import NetworkDriver

class BlockingDriver(NetworkDriver):
    def __init__(self, hostname, username, password, timeout=60, optional_args=None):
        self.hostname = hostname
    def open(self):
        pass
    def close(self):
        pass
    def get_facts(self):
        time.sleep(1)
        return {"pid": __import__("os").getpid(), 1: self.hostname}
"""
PROGRAM = """
from gevent import monkey
monkey.patch_all()
import gevent, os, time
from salt_g.resources.network_device.device import Device, DeviceError, Worker

worker = Worker()
devices = [Device(f"d{n}", {"driver": "slow", "host": f"d{n}"}, worker) for n in range(5)]
gevent.joinall([gevent.spawn(one.connect) for one in devices], raise_error=True)
stalls = []

def tick():
    while True:
        before = time.monotonic()
        gevent.sleep(0.01)
        stalls.append(time.monotonic() - before)

ticker = gevent.spawn(tick)
began = time.monotonic()
asked = [gevent.spawn(one.call, "get_facts") for one in devices]
gevent.joinall(asked, raise_error=True)
took = time.monotonic() - began
found = [one.value for one in asked]
assert len({one["pid"] for one in found}) == 1 and found[0]["pid"] != os.getpid()
assert [one[1] for one in found] == [f"d{n}" for n in range(5)]
assert took < 4.5, took
assert max(stalls) < 0.9, max(stalls)
os.kill(found[0]["pid"], 9)
try:
    devices[0].call("get_facts")
except DeviceError as exc:
    assert "has ended" in str(exc)
else:
    raise AssertionError("a dead worker answered")
assert devices[0].call("get_facts")[1] == "d0"
worker.end()
print("good")
"""


def test_devices_are_asked_side_by_side_and_a_lost_worker_is_started_again(tmp_path, may_use_napalm):
    package = tmp_path / "custom_napalm"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "slow.py").write_text(DRIVER)

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )

    assert (done.stdout, done.returncode) == ("good\n", 0), done.stderr
