"""A network that silently drops packets: all of them, or those of one port."""

import pytest

from tests.support.waiting import until

PUBLISH, REQUESTS = 4505, 4506
#: A peer that vanished is noticed within seconds instead of half a minute.
QUICK_HEARTBEATS = """\
from salt_g.transport import zeromq

zeromq.HEARTBEAT_INTERVAL_MS = 1000
zeromq.HEARTBEAT_TIMEOUT_MS = 3000
"""


@pytest.fixture
def far_apart(network, tools, make_master, make_minion):
    """Return a running master and its minion m1, on separate hosts."""
    quick = tools.altered(QUICK_HEARTBEATS)
    master = make_master(interface=network.MASTER, ret_port=REQUESTS, publish_port=PUBLISH)
    minion = make_minion(master=network.MASTER, retry_dns=3, auth_timeout=3, request_channel_timeout=3)
    for host, daemon in (("master", master), ("minion", minion)):
        daemon.program = tools.inside(network.words(host), quick, name=f"on-{host}")
        daemon.start()
    return master, minion


def test_a_black_hole_is_noticed_by_both_sides_and_forgotten_by_both(far_apart, network, client, run):
    master, minion = far_apart
    local = client(master)
    under_way = begin(local, minion, "sleep 1; echo done")

    network.cut()
    until(lambda: not network.connections("master", PUBLISH), "the master noticed")
    until(lambda: not network.connections("minion", PUBLISH), "the minion noticed")
    until(lambda: kept(minion), "the return waits on the disk")
    assert run(master, "manage.present") == []
    assert run(master, "jobs.lookup_jid", under_way) == {}
    (message,) = local.cmd("m1", "test.ping", timeout=1, gather_job_timeout=1).values()
    assert message.startswith("Minion did not return. [Not connected]")
    network.heal()

    until(lambda: run(master, "jobs.lookup_jid", under_way) == {"m1": "done"}, "the return came")
    until(lambda: run(master, "manage.present") == ["m1"], "the minion is there again")
    assert local.cmd("m1", "test.echo", ["after"], timeout=20) == {"m1": "after"}
    until(lambda: not kept(minion), "the spool is empty")


def test_without_the_request_port_jobs_run_and_their_returns_wait(far_apart, network, client, run):
    master, minion = far_apart
    local = client(master)

    network.cut(REQUESTS)
    jids = [begin(local, minion, f"echo {number}") for number in range(3)]
    until(lambda: len(kept(minion)) == 3, "the returns wait on the disk")
    assert run(master, "manage.present") == ["m1"]
    network.heal(REQUESTS)

    for number, jid in enumerate(jids):
        until(lambda jid=jid: run(master, "jobs.lookup_jid", jid), "the return came")
        assert run(master, "jobs.lookup_jid", jid) == {"m1": str(number)}
    until(lambda: not kept(minion), "the spool is empty")
    assert local.cmd("m1", "test.echo", ["after"], timeout=20) == {"m1": "after"}


def test_without_the_publish_port_the_minion_is_away_until_it_comes_back(far_apart, network, client, run):
    master, minion = far_apart
    local = client(master)
    under_way = begin(local, minion, "sleep 1; echo done")

    network.cut(PUBLISH)
    until(lambda: run(master, "jobs.lookup_jid", under_way) == {"m1": "done"}, "the return came")
    until(lambda: run(master, "manage.present") == [], "the master noticed")
    until(lambda: "no connection to its publisher" in minion.log(), "the minion noticed")
    network.heal(PUBLISH)

    until(lambda: run(master, "manage.present") == ["m1"], "the minion is there again")
    assert local.cmd("m1", "test.echo", ["after"], timeout=20) == {"m1": "after"}


def begin(local, minion, words):
    """Publish a command and return its jid once the minion has it."""
    jid = local.cmd_async("m1", "cmd.run", [words])
    until(lambda: f"{jid}: cmd.run started" in minion.log(), "the job began")
    return jid


def kept(minion):
    """Return the spooled returns on the minion's disk."""
    return list((minion.cachedir / "returns").iterdir())
