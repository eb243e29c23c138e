"""Metrics common to all daemons, and the optional port that serves them."""

import socket
import urllib.request

import pytest

from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor
from salt_g.telemetry.daemon_metrics import DaemonMetrics
from tests.support.free_ports import free_port


@pytest.fixture
def metrics():
    """Yield a function that starts metrics on this port."""
    supervisor, started = Supervisor("test"), []

    def make(port):
        made = DaemonMetrics({"metrics_port": port, "metrics_interface": "127.0.0.1"}, supervisor)
        made.start()
        started.append(made)
        return made

    yield make
    for made in started:
        made.stop()
    supervisor.stop()


def read(url):
    with urllib.request.urlopen(url, timeout=30) as reply:
        return reply.read()


def test_hub_greenlets_and_process_are_measured(metrics):
    names = {line.split("{")[0].split(" ")[0] for line in metrics(0).registry.text().splitlines()}

    assert {"salt_g_hub_delay_seconds_count", "salt_g_greenlets", "salt_g_memory_bytes"} <= names


def test_the_port_serves_what_parts_have_added(metrics):
    port = free_port()
    metrics(port).registry.counter("salt_g_mine_total", "Mine.", lambda: 7)

    assert b"salt_g_mine_total 7" in offload(read, f"http://127.0.0.1:{port}/metrics").splitlines()


def test_a_port_that_is_taken_stops_the_start(metrics):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        with pytest.raises(OSError):
            metrics(taken.getsockname()[1])
