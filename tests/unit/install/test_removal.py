"""Plans of removals."""

import pytest

from salt_g.install import manifest, removal
from salt_g.install.host import Host
from salt_g.install.manifest import DIRECTORY, FILE, ManifestEntry
from salt_g.install.steps import InstallPaths, PutFile, Remove

PLACES = InstallPaths("/etc/salt/pki/minion", "/var/cache/salt/minion", "/var/log/salt/minion", "/run/m.pid")


@pytest.fixture
def host(tmp_path):
    """Return a host on which both roles share `/opt/both`, and the minion has `/opt/own`."""
    host = Host(str(tmp_path))
    for path in ("opt", "var/lib/salt-g"):
        (tmp_path / path).mkdir(parents=True)
    made = {"/opt": ManifestEntry(DIRECTORY, "", ("minion", "master"))}
    for name, roles in (("both", ("minion", "master")), ("own", ("minion",))):
        (tmp_path / "opt" / name).write_text(name)
        made[f"/opt/{name}"] = ManifestEntry(FILE, host.digest(f"/opt/{name}"), roles)
    (tmp_path / manifest.PATH.lstrip("/")).write_bytes(manifest.text(made))
    return host


def removed(plan):
    return [step.path for step in plan.steps if isinstance(step, Remove)]


def test_files_of_another_role_stay(host):
    plan = removal.uninstall("minion", host, PLACES, purges=False)

    assert removed(plan) == ["/opt/own"]
    (kept,) = [step for step in plan.steps if isinstance(step, PutFile)]
    assert kept.path == manifest.PATH and b"/opt/own" not in kept.content and b"/opt/both" in kept.content


def test_a_changed_file_is_kept_with_a_note(host):
    with open(host.place("/opt/own"), "w") as file:
        file.write("edited")

    plan = removal.uninstall("minion", host, PLACES, purges=False)

    assert removed(plan) == []
    assert [note.text for note in plan.notes] == ["/opt/own was changed after its installation: it is kept"]


def test_a_role_that_was_not_installed_is_a_note(host):
    plan = removal.uninstall("api", host, PLACES, purges=False)

    assert (plan.steps, [note.text for note in plan.notes]) == ([], ["no api was installed by salt-g here"])


def test_entries_of_no_role_are_gone():
    both, own = ManifestEntry(FILE, "", ("a", "b")), ManifestEntry(FILE, "", ("a",))

    assert removal.without({"/both": both, "/own": own}, "a") == {"/both": both._replace(roles=("b",))}
