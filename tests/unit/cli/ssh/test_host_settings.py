"""Settings of a host from its roster entry, the command line and the settings of the master."""

import logging

import pytest

from salt_g.cli.ssh.host_settings import forwards, host_settings
from salt_g.resources.ssh._program import words
from salt_g.resources.ssh._settings import host_of

OPTS = {"ssh_user": "root", "ssh_port": "22", "ssh_timeout": 60, "ssh_keepalive": True, "ssh_passwd": ""}


def test_an_entry_comes_before_the_settings_and_these_before_defaults():
    opts = {**OPTS, "ssh_user": "deploy", "ssh_sudo": True}

    found = host_settings("web1", {"host": "192.0.2.1", "sudo": False, "port": 2222}, opts, key="/own")

    host = host_of("web1", found)
    assert (host.host, host.user, host.port, host.sudo, host.priv) == (
        "192.0.2.1",
        "deploy",
        2222,
        False,
        "/own",
    )
    assert host.timeout == 60


def test_the_id_is_the_address_of_a_host_without_one():
    assert host_settings("web1", {}, OPTS, key="")["host"] == "web1"


def test_the_agent_has_the_keys_if_the_entry_says_so():
    assert "priv" not in host_settings("web1", {"priv": "agent-forwarding"}, OPTS, key="/own")


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("8080:localhost:80", ["RemoteForward=8080 localhost:80"]),
        (
            "127.0.0.1:8080:localhost:80,9000",
            ["RemoteForward=127.0.0.1:8080 localhost:80", "RemoteForward=9000"],
        ),
        (None, []),
    ],
)
def test_forwards_have_the_form_of_the_configuration(given, options):
    assert forwards(given) == options


def test_options_of_all_hosts_come_with_those_of_the_entry():
    opts = {**OPTS, "ssh_options": ["Compression=yes"], "ssh_remote_port_forwards": "9000"}

    found = host_settings("web1", {"ssh_options": ["Ciphers=x"]}, opts, key="")

    assert found["ssh_options"] == ["Compression=yes", "Ciphers=x", "RemoteForward=9000"]
    assert "web1" in words(host_of("web1", found), config="c", socket="s")


def test_settings_that_nothing_reads_are_named(caplog):
    with caplog.at_level(logging.WARNING):
        host_settings("web1", {"hostt": "x", "thin_dir": "/tmp", "minion_opts": {}}, OPTS, key="")

    assert [record.getMessage() for record in caplog.records] == [
        "roster: host web1 has unknown settings: hostt"
    ]
