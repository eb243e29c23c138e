"""`state.undo` of real services: a script in /etc/init.d with a daemon under start-stop-daemon.

Needs root on a Debian that was not booted with systemd. `systemctl` is hidden from the calls in a mount
namespace of their own, because service states do nothing if it exists and systemd does not run.
"""

import os
import shutil
import subprocess

import pytest
import yaml

from tests.support.commands import Machine
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0
    or not os.path.exists("/etc/debian_version")
    or os.path.exists("/run/systemd/system")
    or not all(map(shutil.which, ("update-rc.d", "start-stop-daemon", "unshare")))
    or subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode != 0,
    reason="needs root and namespaces on a Debian without systemd",
)

NAME = "salt-g-test-daemon"
SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides:          {name}
# Required-Start:
# Required-Stop:
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: a daemon of a test
### END INIT INFO
daemon="start-stop-daemon --pidfile {pid} --quiet"
case "$1" in
  start) $daemon --start --background --make-pidfile --startas /bin/sleep -- 600;;
  stop) $daemon --stop --oknodo --remove-pidfile --retry 5;;
  restart|reload|force-reload) $0 stop; $0 start;;
  status) $daemon --status;;
esac
"""


class WithoutSystemctl(Machine):
    """Machine whose calls do not see systemctl."""

    def run(self, *words, stdin=None, env=None, timeout=60):
        hiding = "; ".join(f"mount --bind /dev/null {path}" for path in _systemctl())
        self.program = "unshare"
        salt_g = Machine.program
        words = ("--mount", "sh", "-c", f'{hiding or ":"}; exec {salt_g} "$@"', "sh", *words)
        return super().run(*words, stdin=stdin, env=env, timeout=timeout)


@pytest.fixture
def machine(tmp_path, alone_with):
    """Yield a machine with a stopped service."""
    path = f"/etc/init.d/{NAME}"
    pid = tmp_path / "pid"
    with alone_with("services"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT.format(name=NAME, pid=pid))
        os.chmod(path, 0o755)
        try:
            yield WithoutSystemctl(tmp_path)
        finally:
            subprocess.run([path, "stop"], check=False, capture_output=True)
            os.unlink(path)
            subprocess.run(["update-rc.d", "-f", NAME, "remove"], check=False, capture_output=True)


def test_a_service_that_was_started_and_enabled_stops_and_is_disabled_again(machine, tmp_path):
    conf = tmp_path / "conf.d"
    conf.write_text("old\n")
    service = {"service.running": [{"name": NAME}, {"enable": True}, {"watch": [{"file": "conf"}]}]}
    states = {"conf": {"file.managed": [{"name": str(conf)}, {"contents": "new"}]}, "service": service}
    machine.write({"t.sls": yaml.safe_dump(states)})

    applied = machine("state.apply", "t", state_undo=True)
    assert applied.code == 0, applied
    until(lambda: is_running(tmp_path), "the daemon runs")
    assert is_enabled()
    undone = machine("state.undo", "last", state_undo=True)

    assert undone.value["services"] == [NAME]
    assert undone.value["comment"] == "1 path back, 1 service back"
    assert not is_running(tmp_path)
    assert not is_enabled()
    assert conf.read_text() == "old\n"


def test_a_service_that_was_stopped_runs_again_with_its_old_file(machine, tmp_path):
    conf = tmp_path / "conf.d"
    conf.write_text("old\n")
    machine("service.start", NAME)
    states = {
        "service": {"service.dead": [{"name": NAME}]},
        "conf": {"file.absent": [{"name": str(conf)}, {"require": [{"service": "service"}]}]},
    }
    machine.write({"t.sls": yaml.safe_dump(states)})

    machine("state.apply", "t", state_undo=True)
    assert not is_running(tmp_path)
    undone = machine("state.undo", "last", state_undo=True)

    assert undone.code == 0, undone
    until(lambda: is_running(tmp_path), "the daemon runs")
    assert conf.read_text() == "old\n"


def test_a_service_that_watched_a_file_is_restarted_with_the_old_one(machine, tmp_path):
    conf = tmp_path / "conf.d"
    conf.write_text("old\n")
    machine("service.start", NAME)
    started = (tmp_path / "pid").read_text()
    states = {
        "conf": {"file.managed": [{"name": str(conf)}, {"contents": "new"}]},
        "service": {"service.running": [{"name": NAME}, {"watch": [{"file": "conf"}]}]},
        "told": {"cmd.run": [{"name": "true"}, {"onchanges": [{"file": "conf"}]}]},
    }
    machine.write({"t.sls": yaml.safe_dump(states)})

    machine("state.apply", "t", state_undo=True)
    restarted = (tmp_path / "pid").read_text()
    undone = machine("state.undo", "last", state_undo=True)

    assert undone.value["comment"] == (
        f"1 path back, {NAME} restarted,"
        " not reversible: cmd.run true (not run again; run it by hand if it uses restored files)"
    )
    until(lambda: is_running(tmp_path), "the daemon runs")
    assert len({started, restarted, (tmp_path / "pid").read_text()}) == 3


def _systemctl():
    return sorted(
        {os.path.realpath(path) for path in ("/bin/systemctl", "/usr/bin/systemctl") if os.path.exists(path)}
    )


def is_running(directory):
    """Return whether the daemon of the pid file runs; it has its pid before it executes `sleep`."""
    try:
        pid = int((directory / "pid").read_text())
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read() == "sleep\n"
    except (OSError, ValueError):
        return False


def is_enabled():
    return os.path.exists(f"/etc/rc2.d/S01{NAME}")
