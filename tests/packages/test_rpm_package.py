"""The RPM in a root directory with its own rpm database: installed, upgraded, removed."""

import json
import shutil

import pytest

from salt_g import __version__


@pytest.fixture
def rpm(packages, machine):
    """Run rpm on the machine; the package is /root/salt-g.rpm there."""
    (path,) = packages.glob("*.rpm")
    shutil.copy(path, machine.root / "root/salt-g.rpm")

    def run(*words):
        # Debian's rpm wants to be asked, and its database has no glibc.
        asks = words[0] == "-qp"
        done = machine.run("rpm", *([] if asks else ["--nodeps", "--force-debian"]), *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    return run


def test_it_declares_what_it_needs_and_whom_it_replaces(rpm):
    assert rpm("-qp", "--qf", "%{VERSION} %{LICENSE}", "/root/salt-g.rpm") == f"{__version__} Apache-2.0"
    assert "glibc >= 2." in rpm("-qp", "--requires", "/root/salt-g.rpm")
    assert "salt-minion" in rpm("-qp", "--conflicts", "/root/salt-g.rpm")
    assert rpm("-qp", "--configfiles", "/root/salt-g.rpm").split() == [
        "/etc/logrotate.d/salt-g-master",
        "/etc/logrotate.d/salt-g-minion",
    ]


def test_it_is_installed_used_and_removed(rpm, machine):
    rpm("-i", "/root/salt-g.rpm")
    called = machine.run("salt-call", "--local", "test.ping", "--out=json")
    rpm("-V", "salt-g")
    rpm("-e", "salt-g")

    assert json.loads(called.stdout) == {"local": True}, called.stderr
    assert not (machine.root / "usr/bin/salt-call").exists()
    assert not (machine.root / "usr/lib/salt-g").exists()
