"""The real apt, which installs small packages from a repository that the test makes.

Needs root on Debian. The packages are named `salt-g-test-…`; they, the repository's entry and its lists are
removed at the end.
"""

import hashlib
import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not os.path.exists("/etc/debian_version") or not shutil.which("dpkg-deb"),
    reason="needs root on Debian",
)

PACKAGES = [
    ("salt-g-test-a", "1.0"),
    ("salt-g-test-a", "1.1"),
    ("salt-g-test-a", "2.0"),
    ("salt-g-test-b", "1:3-1"),
]
ENTRY = "/etc/apt/sources.list.d/salt-g-test.list"


def run(*words, **options):
    return subprocess.run(words, check=False, capture_output=True, text=True, **options)


def build(directory, name, version):
    tree = directory / f"tree-{name}-{version.replace(':', '_')}"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "etc").mkdir()
    (tree / "etc" / f"{name}.conf").write_text(f"{version}\n")
    (tree / "DEBIAN" / "conffiles").write_text(f"/etc/{name}.conf\n")
    (tree / "DEBIAN" / "control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\n"
        "Maintainer: salt-g <salt-g@example.org>\nDescription: a package of a test\n"
    )
    file = directory / f"{name}_{version.replace(':', '-')}_all.deb"
    assert run("dpkg-deb", "--root-owner-group", "-b", str(tree), str(file)).returncode == 0
    return file


def stanza(file):
    fields = run("dpkg-deb", "-f", str(file)).stdout
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return f"{fields}Filename: ./{file.name}\nSize: {file.stat().st_size}\nSHA256: {digest}\n\n"


def clean():
    run("dpkg", "--purge", *{name for name, _ in PACKAGES})
    if os.path.exists(ENTRY):
        os.unlink(ENTRY)
    options = ["-o", f"Dir::Etc::sourcelist={ENTRY}", "-o", "Dir::Etc::sourceparts=-"]
    run("apt-get", "-q", "update", *options)


@pytest.fixture(scope="module")
def repository(open_directory, alone_with):
    """Yield a directory from which apt takes packages, listed in ENTRY; only its lists are refreshed."""
    directory = open_directory
    files = [build(directory, *package) for package in PACKAGES]
    (directory / "Packages").write_text("".join(stanza(file) for file in files))
    with alone_with("apt"):
        clean()
        with open(ENTRY, "w", encoding="utf-8") as file:
            file.write(f"deb [trusted=yes] file:{directory} ./\n")
        options = ["-o", f"Dir::Etc::sourcelist={ENTRY}", "-o", "Dir::Etc::sourceparts=-"]
        kept = ["-o", "APT::Get::List-Cleanup=0"]
        refreshed = run("apt-get", "-q", "update", *options, *kept)
        if refreshed.returncode:
            pytest.skip(f"apt is not usable here: {refreshed.stderr}")
        yield directory
        clean()


@pytest.fixture
def machine(repository, salt_g):
    run("dpkg", "--purge", *{name for name, _ in PACKAGES})
    return salt_g


def test_a_package_is_installed_held_upgraded_and_purged(machine):
    sls = """
pin:
  pkg.installed:
    - pkgs: [salt-g-test-a: '1.0', salt-g-test-b]
    - refresh: False
"""
    machine.write({"a.sls": sls})

    (first,) = machine("state.apply", "a").value.values()
    (again,) = machine("state.apply", "a").value.values()

    assert first["changes"] == {
        "salt-g-test-a": {"old": "", "new": "1.0"},
        "salt-g-test-b": {"old": "", "new": "1:3-1"},
    }
    assert again["changes"] == {}
    assert again["comment"] == "All specified packages are already installed and are at the desired version"

    held = machine("pkg.hold", "salt-g-test-a").value["salt-g-test-a"]
    assert held["changes"] == {"old": "install", "new": "hold"}
    assert "salt-g-test-a" in machine("pkg.get_hold").value

    newest = machine.state("pkg.latest", "salt-g-test-a", "refresh=False")
    assert newest["changes"] == {"salt-g-test-a": {"old": "1.0", "new": "2.0"}}
    assert "salt-g-test-a" in machine("pkg.get_hold").value

    machine("pkg.unhold", "salt-g-test-a")
    removed = machine.state("pkg.removed", "salt-g-test-a")
    assert removed["comment"] == "All targeted packages were removed."
    assert "salt-g-test-a" in machine("pkg.list_pkgs", "removed=True").value

    purged = machine.state("pkg.purged", "salt-g-test-a")
    assert purged["result"] is True
    assert not os.path.exists("/etc/salt-g-test-a.conf")


def test_a_condition_picks_a_version_and_a_lower_one_is_a_downgrade(machine):
    machine("pkg.install", "pkgs=[{'salt-g-test-a': '<2'}]")
    picked = machine("pkg.version", "salt-g-test-a").value
    lower = machine("pkg.install", "pkgs=[{'salt-g-test-a': '1.0'}]")

    assert picked in ("1.0", "1.1")
    assert lower.code == 0
    assert machine("pkg.version", "salt-g-test-a").value == "1.0"


def test_a_package_file_is_installed_from_the_file_server(machine, repository):
    shutil.copy(repository / "salt-g-test-a_1.1_all.deb", machine.states / "a.deb")

    result = machine.state(
        "pkg.installed",
        "x",
        "sources=[{'salt-g-test-a': 'salt://a.deb'}]",
        "refresh=False",
    )

    assert result["changes"] == {"salt-g-test-a": {"old": "", "new": "1.1"}}


def test_test_mode_installs_nothing(machine):
    result = machine.state("pkg.installed", "salt-g-test-a", "refresh=False", "test=True")

    assert result["result"] is None
    assert result["changes"] == {"salt-g-test-a": {"old": "", "new": "2.0"}}
    assert machine("pkg.version", "salt-g-test-a").value == ""


def test_an_unknown_package_is_an_error_that_says_what_apt_says(machine):
    result = machine.state("pkg.installed", "salt-g-test-nosuch", "refresh=False")

    assert result["result"] is False
    assert "Unable to locate package salt-g-test-nosuch" in result["comment"]


def test_states_hold_and_let_go_of_packages(machine):
    machine("pkg.install", "salt-g-test-a", "version=1.0")

    preview = machine.state("pkg.held", "salt-g-test-a", "test=True")
    held = machine.state("pkg.held", "salt-g-test-a")
    again = machine.state("pkg.held", "salt-g-test-a")
    unheld = machine.state("pkg.unheld", "salt-g-test-a")

    assert preview["comment"] == "The following package would be held: salt-g-test-a"
    assert held["changes"]["salt-g-test-a"]["changes"] == {"old": "install", "new": "hold"}
    assert again["changes"] == {}
    assert unheld["changes"]["salt-g-test-a"]["changes"] == {"old": "hold", "new": "install"}
    assert "salt-g-test-a" not in machine("pkg.get_hold").value


def test_a_held_package_is_installed_held_by_the_same_state(machine):
    result = machine.state("pkg.installed", "salt-g-test-b", "hold=True", "refresh=False")

    assert result["result"] is True
    assert "salt-g-test-b" in machine("pkg.get_hold").value


def test_only_the_packages_that_are_named_are_brought_up_to_date(machine):
    machine("pkg.install", "salt-g-test-a", "version=1.0")

    result = machine.state("pkg.uptodate", "x", "test=True", "refresh=False", timeout=120)
    upgrades = machine("pkg.list_upgrades", "refresh=False", timeout=120).value

    assert result["result"] is None
    assert upgrades["salt-g-test-a"] == "2.0"


def test_a_group_is_refused_where_there_are_none(machine):
    result = machine.state("pkg.group_installed", "Tools")

    assert result["result"] is False
    assert result["comment"] == "pkg.group_install not available for this platform"


def test_a_missing_package_is_reported_in_the_words_of_apt(machine):
    result = machine.state("pkg.installed", "salt-g-test-nosuch", "refresh=False")

    assert result["result"] is False
    assert "salt-g-test-nosuch" in result["comment"]


def test_of_several_packages_those_that_can_be_had_are_distinguished(machine):
    pkgs = "pkgs=['salt-g-test-a', {'salt-g-test-b': '9'}]"

    result = machine.state("pkg.installed", "x", pkgs, "refresh=False")

    assert result["result"] is False
    assert "Version '9' for 'salt-g-test-b' was not found" in result["comment"]
