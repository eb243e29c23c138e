"""The RPM under a running systemd, with its own rpm database: installed, upgraded, refused, removed.

The tests of the package's lifecycle depend on each other and share one machine.
"""

import json
import shutil

import pytest

from salt_g import __version__

#: Debian's rpm wants to be asked, and its database has no glibc.
_HERE = ("--nodeps", "--force-debian")


@pytest.fixture
def rpm(machine):
    """Run rpm on the machine; it must succeed."""

    def run(*words):
        done = machine.run("rpm", *(() if words[0].startswith("-q") else _HERE), *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    return run


def _is_active(machine):
    return machine.run("systemctl", "is-active", "salt-g-minion").stdout.strip()


def test_it_declares_what_it_requires_and_replaces(rpm):
    assert rpm("-qp", "--qf", "%{VERSION} %{LICENSE}", "/root/new.rpm") == f"{__version__} Apache-2.0"
    assert "glibc >= 2." in rpm("-qp", "--requires", "/root/new.rpm")
    assert "salt-minion" in rpm("-qp", "--conflicts", "/root/new.rpm")
    assert rpm("-qp", "--configfiles", "/root/new.rpm").split() == [
        "/etc/logrotate.d/salt-g-master",
        "/etc/logrotate.d/salt-g-minion",
    ]


def test_an_installation_starts_nothing_and_can_be_used(rpm, machine):
    # What the Debian package has left.
    shutil.rmtree(machine.root / "etc/salt", ignore_errors=True)
    rpm("-i", "/root/old.rpm")
    called = machine.run("salt-call", "--local", "test.ping", "--out=json")
    rpm("-V", "salt-g")

    assert json.loads(called.stdout) == {"local": True}, called.stderr
    assert _is_active(machine) == "inactive"
    assert "salt" in machine.run("getent", "passwd", "salt").stdout


def test_an_upgrade_restarts_what_runs_and_keeps_what_was_edited(rpm, machine):
    (machine.root / "etc/salt-g/minion").write_text("file_client: local\nmaster_type: disable\nid: night\n")
    (machine.root / "etc/logrotate.d/salt-g-minion").write_text("# mine\n")
    machine.run("systemctl", "enable", "--now", "salt-g-minion")
    pid = "systemctl show --value -p MainPID salt-g-minion"
    before = machine.run("sh", "-c", pid).stdout.strip()
    assert _is_active(machine) == "active"

    rpm("-U", "/root/new.rpm")

    moved = machine.run(
        "timeout", "90", "sh", "-c",
        f'until [ "$({pid})" != {before} ] && systemctl -q is-active salt-g-minion; do sleep 0.2; done',
    )  # fmt: skip
    assert moved.returncode == 0
    assert rpm("-q", "--qf", "%{VERSION}", "salt-g") == __version__
    assert (machine.root / "etc/logrotate.d/salt-g-minion").read_text() == "# mine\n"
    assert not (machine.root / "usr/lib/salt-g/only-in-the-older").exists()


def test_a_downgrade_is_refused_and_nothing_changes(rpm, machine):
    refused = machine.run("rpm", *_HERE, "-U", "/root/old.rpm")

    assert refused.returncode != 0
    assert f"salt-g-{__version__}" in refused.stderr
    assert "newer" in refused.stderr
    assert rpm("-q", "--qf", "%{VERSION}", "salt-g") == __version__
    assert _is_active(machine) == "active"


def test_a_removal_stops_the_services_and_keeps_the_settings(rpm, machine):
    rpm("-e", "salt-g")

    assert _is_active(machine) != "active"
    assert not (machine.root / "usr/bin/salt-call").exists()
    assert not (machine.root / "usr/lib/salt-g").exists()
    assert (machine.root / "etc/salt-g/minion").exists()
