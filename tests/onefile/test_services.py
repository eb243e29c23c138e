"""Services installed by the one-file executable, under systemd: started, watched, sandboxed, removed.

The tests of this file depend on each other and share one machine.
"""

import json
import re

_STATES = """\
/home/kept: {file.directory: []}
/etc/systemd/system/own.service:
  file.managed:
    - contents: |
        [Service]
        ExecStart=/bin/sleep 1000
        [Install]
        WantedBy=multi-user.target
own: {service.running: [{enable: true}]}
op: {user.present: []}
mounts: {cmd.run: [{name: mount -t tmpfs none /mnt && umount /mnt && touch /usr/share/changed}]}
"""


def _done(machine, *words):
    """Run a command on the machine that must succeed; return its output."""
    done = machine.run(*words)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def _shown(machine, role, name):
    return _done(machine, "systemctl", "show", "--value", "-p", name, f"salt-g-{role}").strip()


def _until_active(machine, role, start):
    """Wait for a service to run with another process than `start`."""
    unit = f"salt-g-{role}"
    is_new = f'[ "$(systemctl show --value -p MainPID {unit})" != {start} ]'
    script = f"until {is_new} && systemctl -q is-active {unit}; do sleep 0.2; done"
    _done(machine, "timeout", "60", "sh", "-c", script)


def _ping(machine):
    return json.loads(_done(machine, "salt-g", "*", "test.ping", "--out=json"))


def test_a_dry_run_shows_every_file_and_makes_none(machine):
    shown = _done(machine, "/root/salt-g", "install", "master", "--dry-run", "--links")

    assert "ProtectSystem=strict" in shown
    assert "systemctl start salt-g-master.service" in shown
    assert not (machine.root / "var/lib/salt-g").exists()
    assert not (machine.root / "usr/local/bin/salt-g").exists()


def test_a_master_and_a_minion_start_as_services(machine):
    _done(machine, "/root/salt-g", "install", "master", "--links")
    invited = _done(machine, "salt-g", "key", "invite", "--address", "127.0.0.1")
    _done(machine, *invited.split())

    for role in ("master", "minion"):
        assert _shown(machine, role, "ActiveState") == "active"
        assert _shown(machine, role, "UnitFileState") == "enabled"
    assert _shown(machine, "minion", "StatusText") == "connected to 127.0.0.1"
    assert _ping(machine) == {"night": True}
    assert "nothing to do" in _done(machine, "salt-g", "install", "master", "--links")
    assert "nothing to do" in _done(machine, "salt-g", "install", "minion")
    assert machine.run("salt-g", "doctor").returncode == 0


def test_systemd_finds_nothing_wrong_with_the_units(machine):
    units = [f"/etc/systemd/system/salt-g-{role}.service" for role in ("master", "minion")]

    assert machine.run("systemd-analyze", "verify", "--man=no", *units).stderr == ""


def test_the_sandbox_of_the_master_is_tight(machine):
    output = _done(machine, "systemd-analyze", "security", "--no-pager", "salt-g-master")

    exposure = float(re.search(r"Overall exposure level.*: ([\d.]+)", output)[1])
    assert exposure <= 3.5, output
    pid = _shown(machine, "master", "MainPID")
    refused = machine.run(
        "nsenter", "-t", pid, "-m", "sh", "-c", "touch /usr/made || touch /etc/made || touch /root/made"
    )
    assert refused.stderr.count("Read-only file system") == 3
    assert refused.returncode == 1


def test_a_minion_may_change_the_machine(machine):
    (machine.root / "srv/salt").mkdir()
    (machine.root / "srv/salt/try.sls").write_text(_STATES)

    done = json.loads(_done(machine, "salt-g", "night", "state.apply", "try", "--out=json"))["night"]

    assert [one["comment"] for one in done.values() if one["result"] is not True] == []
    assert _done(machine, "systemctl", "is-active", "own") == "active\n"
    assert (machine.root / "usr/share/changed").exists()


def test_programs_started_by_a_minion_outlive_its_restart(machine):
    _done(machine, "salt-g", "night", "cmd.run_bg", "sleep 4321")

    _done(machine, "systemctl", "restart", "salt-g-minion")

    assert _done(machine, "pgrep", "-fx", "sleep 4321")


def test_killed_daemons_come_back_and_find_each_other(machine):
    pids = {role: _shown(machine, role, "MainPID") for role in ("master", "minion")}
    # The pid of what does not run is 0, and by it kill means its caller.
    assert "0" not in pids.values()

    _done(machine, "kill", "-9", *pids.values())

    for role, pid in pids.items():
        _until_active(machine, role, pid)
    assert _ping(machine) == {"night": True}
    assert _shown(machine, "master", "NRestarts") == "1"


def test_logs_are_rotated_under_a_running_daemon(machine):
    for role in ("master", "minion"):
        (machine.root / f"var/log/salt/{role}").write_text("old line\n")
        _done(machine, "logrotate", "--force", f"/etc/logrotate.d/salt-g-{role}")
        assert (machine.root / f"var/log/salt/{role}.1").read_text() == "old line\n"

    assert _ping(machine) == {"night": True}


def test_nothing_is_left_of_them(machine):
    for role in ("minion", "master"):
        _done(machine, "/root/salt-g", "install", role, "--uninstall", "--purge")

    assert machine.run("systemctl", "is-active", "salt-g-master", "salt-g-minion").returncode != 0
    found = _done(machine, "find", "/etc", "/usr/local", "/var/log", "/var/lib", "-xdev", "-name", "*salt*")
    assert found == ""
