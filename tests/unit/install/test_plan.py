"""Plans of installations: the intended steps, as values."""

import os
import re

import pytest

from salt_g.install import apply, plan, removal, services
from salt_g.install import host as hosts
from salt_g.install.host import Host
from salt_g.install.program import Program
from salt_g.install.steps import CopyTree, InstallPaths, PutFile, PutLink, Remove, RunCommand

PLACES = InstallPaths("/etc/salt/pki/minion", "/var/cache/salt/minion", "/var/log/salt/minion", "/run/m.pid")


@pytest.fixture
def host(tmp_path):
    (tmp_path / "root/etc/init.d").mkdir(parents=True)
    return Host(str(tmp_path / "root"))


@pytest.fixture
def unpacked(tmp_path):
    """Return the directory of the unpacked one-file executable; `unpacked("2")` is another version."""

    def unpack(version):
        tree = tmp_path / f"unpacked-{version}"
        (tree / "lib").mkdir(parents=True, exist_ok=True)
        (tree / "salt-g").write_text(f"program {version}")
        (tree / "salt-g").chmod(0o700)
        (tree / "lib/part").write_text("part")
        one_file = tmp_path / f"salt-g-{version}"
        one_file.write_text(f"#!/bin/sh\n# salt-g {version}\n")
        return Program(str(one_file), str(tree), str(one_file))

    return unpack


def wanted(**more):
    options = {"role": "minion", "prefix": "/opt", "settings": {}, "invitation": "", "completions": {}}
    return plan.InstallOptions(
        **{**options, "link_names": ["salt"], "with_links": False, "starts": True, **more}
    )


def install(host, program, **more):
    made = plan.install(wanted(**more), host, program, PLACES)
    list(apply.carry_out(made.steps, host))
    return made


def test_the_one_file_is_unpacked_for_everybody_and_linked(host, unpacked):
    made = install(host, unpacked("1"))

    (tree,) = [step for step in made.steps if isinstance(step, CopyTree)]
    assert host.mode(tree.path) == 0o755
    assert host.mode(f"{tree.path}/salt-g") == 0o755
    assert host.mode(f"{tree.path}/lib/part") == 0o644
    assert host.read("/opt/bin/salt-g") == b"program 1"
    assert b"/opt/lib/salt-g/current/salt-g minion -d" in host.read("/etc/init.d/salt-g-minion")
    assert host.read("/opt/lib/salt-g/salt-g").startswith(b"#!/bin/sh\n# salt-g 1")


def test_a_new_version_takes_the_place_of_the_old_one(host, unpacked):
    install(host, unpacked("1"))

    made = install(host, unpacked("2"))

    assert host.read("/opt/bin/salt-g") == b"program 2"
    (gone,) = [step for step in made.steps if isinstance(step, Remove)]
    assert not host.exists(gone.path)
    assert made.steps.index(gone) > [type(step) for step in made.steps].index(PutLink)
    assert plan.install(wanted(), host, unpacked("2"), PLACES).steps == []


def test_a_program_that_another_role_still_runs_stays(host, unpacked):
    install(host, unpacked("1"), role="master")
    install(host, unpacked("1"))

    made = install(host, unpacked("2"))

    assert [step for step in made.steps if isinstance(step, Remove)] == []
    assert len([name for name in host.names("/opt/lib/salt-g") if len(name) == 16]) == 2


def test_a_damaged_program_is_put_in_place_anew(host, unpacked):
    made = install(host, unpacked("1"))
    (tree,) = [step.path for step in made.steps if isinstance(step, CopyTree)]
    with open(host.place(f"{tree}/salt-g"), "w") as file:
        file.write("damaged")

    install(host, unpacked("1"))

    assert host.read("/opt/bin/salt-g") == b"program 1"


@pytest.mark.parametrize("number", range(4, 15))  # after the manifest's directories
def test_an_installation_that_was_interrupted_is_gone_on_with_and_taken_back(host, unpacked, number):
    made = plan.install(wanted(settings={"master": "m"}), host, unpacked("1"), PLACES)
    list(apply.carry_out(made.steps[:number], host))

    install(host, unpacked("1"), settings={"master": "m"})
    back = removal.uninstall("minion", host, PLACES, purges=False)
    list(apply.carry_out(back.steps, host))

    assert host.names("/") == ["etc"]
    assert host.names("/etc") == ["init.d"] and host.names("/etc/init.d") == []


def test_a_failed_start_leaves_nothing_that_is_not_known(host, unpacked):
    made = plan.install(wanted(), host, unpacked("1"), PLACES)
    kinds = [type(step) for step in made.steps]

    assert RunCommand not in kinds  # nothing is started below another root
    manifests = [at for at, step in enumerate(made.steps) if step[0] == "/var/lib/salt-g/installed.json"]
    files = [at for at, step in enumerate(made.steps) if isinstance(step, PutFile | CopyTree | PutLink)]
    assert manifests == [min(files)]


def test_a_manifest_that_names_odd_paths_removes_none_of_them(host, unpacked):
    import json

    from salt_g.install import manifest

    install(host, unpacked("1"))
    found = json.loads(host.read(manifest.PATH))
    found["made"]["/etc/../../outside"] = {"kind": "tree", "digest": "", "roles": ["minion"]}
    with open(host.place(manifest.PATH), "w") as file:
        json.dump(found, file)

    back = removal.uninstall("minion", host, PLACES, purges=False)

    assert not [step for step in back.steps if "outside" in str(step)]


def test_directories_near_the_top_are_never_removed_as_a_whole(host, unpacked):
    install(host, unpacked("1"))

    with pytest.raises(Exception, match="too close to /"):
        removal.uninstall("minion", host, PLACES._replace(cachedir="/var/cache"), purges=True)


def test_a_purge_takes_what_daemons_made_and_what_is_around_it(host, unpacked):
    before = sorted(host.names("/etc"))
    install(host, unpacked("1"))
    for path in ("/etc/salt/pki/minion/minion.pem", "/etc/salt-g/minion_id", "/var/cache/salt/minion/x"):
        os.makedirs(os.path.dirname(host.place(path)), exist_ok=True)
        with open(host.place(path), "w") as file:
            file.write("made by a daemon")

    back = removal.uninstall("minion", host, PLACES, purges=True)
    list(apply.carry_out(back.steps, host))

    assert sorted(host.names("/etc")) == before
    assert not host.exists("/var/cache/salt")


class Running(Host):
    """A host on which systemd runs and has started the minion; its files are below another directory."""

    is_here = True

    def place(self, path):
        return os.path.join(self.root, path.lstrip("/"))

    def init(self):
        return hosts.SYSTEMD

    def runs_systemd(self):
        return True

    def is_active(self, unit):
        return unit == "salt-g-minion.service" and self.exists(f"/etc/systemd/system/{unit}")


@pytest.fixture
def running(host, unpacked):
    """Return such a host with an installed minion.

    `running(...)` plans it again and returns the commands.
    """
    running = Running(host.root)

    def again(version="1", **more):
        made = plan.install(wanted(**more), running, unpacked(version), PLACES)
        files = [step for step in made.steps if not isinstance(step, RunCommand)]
        list(apply.carry_out(files, running))
        return [step.words for step in made.steps if isinstance(step, RunCommand)]

    again()
    return again


RESTART = ("systemctl", "restart", "salt-g-minion.service")


def test_nothing_is_restarted_when_nothing_changed(running):
    assert running() == []


def test_a_change_that_the_service_does_not_read_restarts_nothing(running):
    assert running(completions={"bash": "complete salt-g"}, with_links=True) == []


def test_new_settings_or_a_new_program_restart_the_service(running):
    assert running(settings={"master": "m2"}) == [RESTART]
    assert running("2", settings={"master": "m2"}) == [RESTART]


def test_a_dry_run_shows_no_digests(host, unpacked):
    made = plan.install(wanted(), host, unpacked("1"), PLACES)

    shown = "\n".join(apply.details(step, host) for step in made.steps)

    assert "installed.json (mode 0644): the list of what is installed" in shown
    assert not re.search("[0-9a-f]{32}", shown)


def test_the_api_is_a_service_with_the_settings_of_its_master(host, unpacked):
    places = InstallPaths("/var/cache/api_sessions", "/var/cache/api_sessions", "/var/log/api", "/run/a.pid")
    made = plan.install(wanted(role="api"), host, unpacked("1"), places)
    list(apply.carry_out(made.steps, host))

    assert b"/opt/lib/salt-g/current/salt-g api -d" in host.read("/etc/init.d/salt-g-api")
    assert b"/run/a.pid" in host.read("/etc/logrotate.d/salt-g-api")
    assert not host.exists("/etc/salt-g/api")
    gone = removal.uninstall("api", host, places, purges=True)
    list(apply.carry_out(gone.steps, host))
    assert not host.exists("/etc/init.d/salt-g-api")


def test_the_api_is_restricted_more_than_a_minion(unpacked):
    text = services.unit("api", "/opt/bin/salt-g", ["/run"])

    assert "ExecStart=/opt/bin/salt-g api" in text
    assert "ProtectSystem=full" in text
    assert "CapabilityBoundingSet=CAP_NET_BIND_SERVICE" in text
