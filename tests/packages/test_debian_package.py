"""The Debian package under a running systemd: installed, upgraded, refused, removed, purged.

The tests of the package's lifecycle depend on each other and share one machine.
"""

import json
import re
import subprocess

from salt_g import __version__


def _done(machine, *words):
    """Run a command on the machine that must succeed; return its output."""
    done = machine.run(*words)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def _ping(machine):
    return json.loads(_done(machine, "salt", "*", "test.ping", "--out=json"))


def _pid(machine, role):
    return _done(machine, "systemctl", "show", "--value", "-p", "MainPID", f"salt-g-{role}").strip()


def test_its_contents_are_what_a_package_of_daemons_has(deb):
    listed = subprocess.check_output(["dpkg-deb", "-c", str(deb)], text=True).splitlines()
    owners = {line.split()[1] for line in listed}
    paths = {line.split()[5].removeprefix(".") for line in listed}

    assert owners == {"root/root"}
    assert {
        "/usr/lib/salt-g/salt-g", "/usr/bin/salt-g", "/usr/bin/salt", "/usr/bin/salt-call",
        "/usr/lib/systemd/system/salt-g-master.service", "/usr/lib/systemd/system/salt-g-minion.service",
        "/etc/logrotate.d/salt-g-master", "/usr/lib/sysusers.d/salt-g.conf",
        "/usr/share/bash-completion/completions/salt-g", "/usr/share/zsh/vendor-completions/_salt-g",
        "/usr/share/man/man1/salt-g.1.gz", "/usr/share/man/man1/salt-g-call.1.gz",
        "/usr/share/man/man1/salt-call.1.gz", "/usr/share/doc/salt-g/copyright",
    } <= paths  # fmt: skip
    assert not any(path.startswith("/etc/salt") for path in paths)
    writable = [line for line in listed if line[0] != "l" and (line[5] == "w" or line[8] == "w")]
    assert writable == []


def test_an_installation_starts_nothing_and_can_be_used(machine):
    _done(machine, "dpkg", "-i", "/root/old.deb")

    assert _done(machine, "salt-call", "--local", "test.ping", "--out=json") == '{\n    "local": true\n}\n'
    assert machine.run("systemctl", "is-active", "salt-g-master", "salt-g-minion").stdout == "inactive\n" * 2
    assert _done(machine, "getent", "passwd", "salt").endswith(":/var/lib/salt-g:/usr/sbin/nologin\n")
    assert (machine.root / "etc/salt-g/minion").read_text().startswith("# Settings of the minion")
    assert (machine.root / "etc/salt/pki/master").stat().st_mode & 0o777 == 0o700
    units = [f"/usr/lib/systemd/system/salt-g-{role}.service" for role in ("master", "minion")]
    assert machine.run("systemd-analyze", "verify", "--man=no", *units).stderr == ""
    assert "error" not in machine.run("logrotate", "-d", "/etc/logrotate.d/salt-g-master").stderr


def test_services_run_from_the_package(machine):
    (machine.root / "etc/salt-g/minion").write_text("master: 127.0.0.1\nid: night\n")
    _done(machine, "systemctl", "enable", "--now", "salt-g-master", "salt-g-minion")

    _done(machine, "timeout", "60", "sh", "-c", "until salt-key -l un | grep night; do sleep 0.2; done")
    _done(machine, "salt-key", "-ya", "night")

    assert _ping(machine) == {"night": True}
    assert _done(machine, "salt-call", "pillar.items", "--out=json")


def test_an_upgrade_restarts_what_runs_and_keeps_what_was_edited(machine):
    before = {role: _pid(machine, role) for role in ("master", "minion")}
    (machine.root / "etc/logrotate.d/salt-g-minion").write_text("# mine\n")

    # Ordered through the minion, which is itself restarted by it, as its master is.
    ordered = _done(machine, "salt", "--async", "night", "cmd.run", "dpkg -i /root/new.deb")
    jid = re.search(r"\d{20}", ordered)[0]
    look_up = f"salt-run jobs.lookup_jid {jid} --out=json"
    _done(
        machine, "timeout", "90", "sh", "-c", f"until {look_up} 2>/dev/null | grep night; do sleep 0.2; done"
    )

    done = json.loads(_done(machine, *look_up.split()))
    assert "Setting up salt-g" in done["night"]
    for role, pid in before.items():
        moved = f'[ "$(systemctl show --value -p MainPID salt-g-{role})" != {pid} ]'
        ready = f"until {moved} && systemctl -q is-active salt-g-{role}; do sleep 0.2; done"
        _done(machine, "timeout", "90", "sh", "-c", ready)
    assert _ping(machine) == {"night": True}
    assert _done(machine, "dpkg-query", "-W", "-f", "${Version}", "salt-g") == __version__
    assert (machine.root / "etc/logrotate.d/salt-g-minion").read_text() == "# mine\n"


def test_a_downgrade_is_refused_and_nothing_changes(machine):
    refused = machine.run("dpkg", "-i", "/root/old.deb")

    assert refused.returncode != 0
    assert re.search(rf"salt-g {re.escape(__version__)} is installed, and 0\.1\.9 cannot", refused.stderr)
    assert _done(machine, "dpkg-query", "-W", "-f", "${Version} ${Status}", "salt-g") == (
        f"{__version__} install ok installed"
    )
    assert _ping(machine) == {"night": True}


def test_a_removal_stops_the_services_and_keeps_the_keys(machine):
    _done(machine, "dpkg", "-r", "salt-g")

    assert machine.run("systemctl", "is-active", "salt-g-master", "salt-g-minion").returncode != 0
    assert not (machine.root / "usr/bin/salt-g").exists()
    assert (machine.root / "etc/salt/pki/master/minions/night").exists()
    assert (machine.root / "etc/salt-g/minion").exists()


def test_a_purge_leaves_nothing(machine):
    _done(machine, "dpkg", "-P", "salt-g")

    found = _done(
        machine, "find", "/etc", "/usr", "/var/log", "/var/lib", "/var/cache", "-xdev", "-name", "*salt*"
    )
    assert found == ""


def test_settings_of_stock_are_read_and_survive_the_package(machine):
    settings = machine.root / "etc/salt/minion"
    settings.parent.mkdir()
    settings.write_text("id: from-stock\nfile_client: local\n")

    _done(machine, "dpkg", "-i", "/root/new.deb")
    named = json.loads(_done(machine, "salt-call", "--local", "grains.get", "id", "--out=json"))
    _done(machine, "dpkg", "-P", "salt-g")

    assert named == {"local": "from-stock"}
    assert not (machine.root / "etc/salt-g").exists()
    assert settings.exists()
