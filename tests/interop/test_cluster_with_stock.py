"""Minions of stock at masters of a cluster: they move when theirs is killed, and run no job twice."""

import json
import pathlib
import shutil
import signal
import subprocess
import tempfile

import psycopg
import pytest

from tests.support.commands import PROGRAM
from tests.support.free_ports import free_ports
from tests.support.masters import Masters
from tests.support.stock_daemon import Daemon, clean_environment
from tests.support.waiting import until

pytestmark = pytest.mark.long

#: How long anything may take on a busy machine (s).
LIMIT = 180


@pytest.fixture
def root():
    """Yield a short directory: UNIX socket names have at most 107 characters."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def masters(root, postgres_url):
    """Yield two masters of one cluster, as on two hosts.

    Stock looks for connections to an address and port.
    """
    publish, ret = free_ports(2)
    cluster = Masters(root, postgres_url)
    for number, id in enumerate("ab", 2):
        cluster.start(id, interface=f"127.0.0.{number}", publish_port=publish, ret_port=ret)
    yield cluster.all
    cluster.stop()


@pytest.fixture
def start_stock_minion(root, stock_bin):
    """Yield a function that starts a minion of stock whose config lists the masters in their order."""
    minions = []

    def start(masters, **settings):
        own = {
            "id": "m1",
            "master": [master.settings["interface"] for master in masters],
            "master_port": masters[0].ret_port,
            "publish_port": masters[0].publish_port,
            "master_alive_interval": 2,
            "retry_dns": 0,
            "auth_timeout": 5,
            "auth_tries": 1,
            "acceptance_wait_time": 1,
            "random_reauth_delay": 1,
            "recon_default": 100,
            "recon_max": 500,
            **settings,
        }
        minions.append(Daemon("minion", [str(stock_bin / "salt-minion")], root / own["id"], own))
        minions[-1].start()
        return minions[-1]

    yield start
    for minion in minions:
        minion.stop(signal.SIGKILL)


def ask(master, *words):
    """Return {id: value} of a command, run at a master."""
    finished = subprocess.run(
        [PROGRAM, "cmd", "-c", str(master.config_dir), "--out=json", "--static", "-t", "10", *words],
        capture_output=True, text=True, timeout=LIMIT, env=clean_environment(), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        found = json.loads(finished.stdout)
    except ValueError:
        return {}
    return {id: value for id, value in found.items() if not str(value).startswith("Minion did not return")}


def wait_for(masters):
    """Wait until each master can reach the minion."""
    for master in masters:
        until(
            lambda master=master: ask(master, "m1", "test.ping") == {"m1": True},
            "an answer of the minion",
            seconds=LIMIT,
        )


def place_of(id, url):
    """Return the master that a minion is connected to, according to the cluster."""

    def found():
        with psycopg.connect(url) as server:
            return server.execute("SELECT master FROM salt_g.connected WHERE id = %s", (id,)).fetchall()

    return until(found, "its master")[0][0]


# 3008.3 itself fails with `master_type: distributed` (it takes a checksum of text); shuffled is as good.
@pytest.mark.parametrize("is_shuffled", [False, True])
def test_a_minion_of_a_killed_master_moves_to_another(
    masters, start_stock_minion, root, postgres_url, is_shuffled
):
    a, b = masters
    ran = root / "ran"
    start_stock_minion(masters, master_type="failover", master_shuffle=is_shuffled)
    wait_for(masters)
    assert ask(b, "m1", "cmd.run", f"echo one >> {ran}") == {"m1": ""}

    own = a if place_of("m1", postgres_url) == "a" else b
    other = b if own is a else a
    own.kill()
    wait_for([other])

    assert ask(other, "m1", "cmd.run", f"echo two >> {ran}") == {"m1": ""}
    own.start()
    wait_for([own, other])
    assert ran.read_text() == "one\ntwo\n"


def test_a_minion_of_all_masters_at_once_answers_at_each(masters, start_stock_minion):
    a, b = masters
    start_stock_minion(masters)
    wait_for(masters)

    a.kill()

    wait_for([b])
