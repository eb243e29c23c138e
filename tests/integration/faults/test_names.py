"""A master that moves: its name resolves to another address, where the minion finds it."""

import pytest

from tests.support.waiting import until

NAME = "master.salt-g.test"
#: A minion looks again where its master is after this long without a connection (s).
RETRY_DNS = 1
#: Where names are resolved from a file of the test and nothing else.
RESOLVER = """\
import pathlib
import socket

look_up = socket.getaddrinfo


def from_file(host, *words, **named):
    if host == "{name}":
        host = pathlib.Path("{file}").read_text().strip() or "unknown.invalid"
    return look_up(host, *words, **named)


socket.getaddrinfo = from_file
"""


@pytest.fixture
def hosts(daemon_root):
    """Return the hosts file that maps the name to its address."""
    return daemon_root / "hosts"


@pytest.fixture(params=["hosts file", "resolver"])
def resolving(request, tools, hosts):
    """Return (function that points the name at an address, a salt-g that resolves names through it)."""
    if request.param == "resolver":
        return hosts.write_text, tools.altered(RESOLVER.format(name=NAME, file=hosts))
    alone = request.getfixturevalue("own_mounts")
    mount = f"mount --bind {hosts} /etc/hosts"
    return (
        lambda address: hosts.write_text(f"127.0.0.1 localhost\n{address} {NAME}\n"),
        tools.inside(f'{alone} sh -c \'{mount} && exec "$0" "$@"\''),
    )


def test_a_minion_follows_its_masters_name_to_another_address(
    resolving, make_master, make_minion, client, run
):
    point, program = resolving
    point("127.0.0.2")
    master = make_master(interface="127.0.0.2")
    master.start()
    minion = make_minion(master=f"{NAME}:{master.ret_port}", retry_dns=RETRY_DNS, auth_timeout=2)
    minion.program = program
    minion.start()
    local = client(master)
    assert local.cmd("m1", "test.echo", ["before"], timeout=30) == {"m1": "before"}
    under_way = local.cmd_async("m1", "test.sleep", [1])
    until(lambda: f"{under_way}: test.sleep started" in minion.log(), "the job began")

    master.stop()
    master.settings["interface"] = "127.0.0.3"
    master.start()
    point("127.0.0.3")

    until(lambda: run(master, "jobs.lookup_jid", under_way) == {"m1": True}, "the return came")
    until(lambda: minion.log().count("is ready for jobs") == 2, "the minion listens at the new address")
    assert client(master).cmd("m1", "test.echo", ["after"], timeout=30) == {"m1": "after"}
