"""`pkg` on Debian without apt: recorded programs, and a dpkg status file of the test."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import aptpkg, pkg_resource
from salt_g.modules.aptpkg import query

GRAINS = {"os_family": "Debian", "os": "Debian", "osarch": "amd64", "cpuarch": "x86_64"}


def stanza(name, version, status="install ok installed", arch="amd64"):
    return (
        f"Package: {name}\nStatus: {status}\nArchitecture: {arch}\nVersion: {version}\nDescription: x\n y\n\n"
    )


@pytest.fixture
def debian(programs, tmp_path, monkeypatch):
    monkeypatch.setattr(query, "ADMIN_DIRECTORY", str(tmp_path))
    functions = {
        **{f"pkg.{name}": getattr(aptpkg, name) for name in aptpkg.__all__},
        **{
            f"pkg_resource.{name}": getattr(pkg_resource, name)
            for name in ("parse_targets", "version", "pack_sources", "version_compare")
        },
    }
    recorded = programs(functions=functions, grains=GRAINS, opts={"cachedir": str(tmp_path)})
    recorded.status = tmp_path / "status"
    recorded.status.write_text(stanza("bash", "5.2-1") + stanza("tar", "1.34"))
    return recorded


def of_apt(recorded):
    """Return the executed apt-get commands."""
    return [argv for argv in recorded.ran if argv[0] == "apt-get"]


def test_list_pkgs_reads_dpkgs_list_without_a_program(debian):
    assert aptpkg.list_pkgs() == {"bash": "5.2-1", "tar": "1.34"}
    assert debian.ran == []


def test_two_hundred_packages_are_read_once_per_run(debian):
    debian.status.write_text("".join(stanza(f"p{number}", "1") for number in range(200)))
    assert len(aptpkg.list_pkgs()) == 200

    debian.status.write_text("")

    assert len(aptpkg.list_pkgs()) == 200
    assert aptpkg.list_pkgs(use_context=False) == {}


def test_list_pkgs_reports_installed_from_removed_and_purge_desired(debian):
    debian.status.write_text(
        stanza("held", "1", "hold ok installed")
        + stanza("gone", "2", "deinstall ok config-files")
        + stanza("going", "3", "purge ok installed")
        + stanza("broken", "4", "install ok unpacked")
    )

    assert aptpkg.list_pkgs() == {"going": "3", "held": "1"}
    assert aptpkg.list_pkgs(removed=True) == {"gone": "2"}
    assert aptpkg.list_pkgs(purge_desired=True) == {"going": "3"}


def test_a_foreign_architecture_is_part_of_the_name(debian):
    debian.status.write_text(stanza("libc6", "1") + stanza("libc6", "1", arch="i386"))

    assert sorted(aptpkg.list_pkgs()) == ["libc6", "libc6:i386"]


def test_dpkgs_journal_replaces_what_the_list_says(debian, tmp_path):
    (tmp_path / "updates").mkdir()
    (tmp_path / "updates" / "0001").write_text(stanza("bash", "5.3"))

    assert aptpkg.version("bash") == "5.3"


def test_version_of_several_names_is_a_mapping_and_a_glob_too(debian):
    assert aptpkg.version("bash", "nano") == {"bash": "5.2-1", "nano": ""}
    assert aptpkg.version("ba*") == {"bash": "5.2-1"}


def test_latest_version_is_empty_when_the_newest_is_installed(debian):
    debian.answer(
        "apt-cache -q policy",
        "bash:\n  Installed: 5.2-1\n  Candidate: 5.2-1\n  Version table:\nnano:\n  Candidate: 7.2\n",
    )

    assert aptpkg.latest_version("bash", "nano", refresh=False) == {"bash": "", "nano": "7.2"}
    assert aptpkg.latest_version("bash", refresh=False, show_installed=True) == "5.2-1"


def test_refresh_db_reports_each_repository(debian):
    debian.answer(
        "apt-get -q update", "Hit:1 http://a x InRelease\nGet:2 http://b y [12 kB]\nErr:3 http://c z\n"
    )

    assert aptpkg.refresh_db() == {"http://a x InRelease": None, "http://b y": True, "http://c z": False}
    with pytest.raises(CommandExecutionError, match="Error getting repos: http://c z"):
        aptpkg.refresh_db(failhard=True)


def test_install_reports_what_changed_and_runs_apt_once(debian):
    after = stanza("bash", "5.2-1") + stanza("nano", "7.2")
    debian.answer("apt-get -q -y", then=lambda: debian.status.write_text(after))

    assert aptpkg.install("nano") == {"nano": {"old": "", "new": "7.2"}, "tar": {"old": "1.34", "new": ""}}
    assert [argv[-2:] for argv in of_apt(debian)] == [["install", "nano"]]


def test_an_older_version_is_a_run_of_its_own_that_allows_it(debian):
    aptpkg.install(pkgs=["nano", {"bash": "5.1"}])

    first, second = of_apt(debian)
    assert first[-1] == "nano"
    assert "--allow-downgrades" in second and second[-1] == "bash=5.1"


def test_a_condition_picks_the_first_version_on_offer(debian):
    debian.answer("apt-cache show", "Package: nano\nVersion: 8\n\nPackage: nano\nVersion: 7.2\n")

    aptpkg.install(pkgs=[{"nano": "<8"}])

    assert of_apt(debian)[0][-1] == "nano=7.2"


def test_a_condition_that_nothing_fulfils_is_an_error_that_lists_what_there_is(debian):
    debian.answer("apt-cache show", "Package: nano\nVersion: 8\n")

    with pytest.raises(CommandExecutionError) as caught:
        aptpkg.install(pkgs=[{"nano": ">9"}])

    assert caught.value.info["errors"] == ["No version matching 'nano>9' could be found (available: 8)"]


@pytest.fixture
def held(debian):
    """Return the recorded dpkg input about `bash`, which is on hold, and apt's actions, in order."""
    doings = []

    def select():
        doings.append(debian.options[-1]["stdin"])
        debian.answer("dpkg --get-selections", doings[-1].replace(" ", "\t") + "\n")

    debian.answer("dpkg --get-selections", "bash\thold\n")
    debian.answer("dpkg --set-selections", then=select)
    debian.answer("apt-get", then=lambda: doings.append("apt"))
    return doings


def test_held_packages_are_unheld_for_the_installation_only(debian, held):
    aptpkg.install(pkgs=[{"bash": "5.3"}])

    assert held == ["bash install", "apt", "bash hold"]


def test_held_packages_are_held_again_when_apt_cannot_be_run(debian, held):
    def fail():
        raise CommandExecutionError("cannot fork")

    debian.answer("apt-get", then=fail)

    with pytest.raises(CommandExecutionError, match="cannot fork"):
        aptpkg.install(pkgs=[{"bash": "5.3"}])

    assert held == ["bash install", "bash hold"]


def test_a_failed_installation_carries_errors_and_changes(debian):
    debian.answer("apt-get -q -y", retcode=100, stderr="E: Unable to locate package x")

    with pytest.raises(CommandExecutionError, match="Problem encountered installing") as caught:
        aptpkg.install("x")

    assert caught.value.info == {"errors": ["E: Unable to locate package x"], "changes": {}}


def test_the_same_package_twice_is_refused(debian):
    with pytest.raises(InvocationError, match="duplicated packages names"):
        aptpkg.install(pkgs=["nano", {"nano": "7"}])


def test_remove_matches_globs_and_leaves_alone_what_is_not_there(debian):
    assert aptpkg.remove("nano") == {}
    assert of_apt(debian) == []

    aptpkg.remove("ba*")

    assert of_apt(debian) == [["apt-get", "-q", "-y", "remove", "bash"]]


def test_autoremove_lists_what_apt_would_remove(debian):
    debian.answer(
        "apt-get --assume-no",
        "Reading...\nThe following packages will be REMOVED:\n  libb\n  liba libc\n0 upgraded\n",
    )

    assert aptpkg.autoremove(list_only=True) == ["liba", "libb", "libc"]


def test_hold_of_a_held_package_changes_nothing(debian):
    debian.answer("dpkg --get-selections", "bash\thold\n")

    result = aptpkg.hold("bash")

    assert result["bash"]["comment"] == "Package bash is already set to be held."
    assert result["bash"]["changes"] == {}


def test_the_machines_own_architecture_is_taken_off(debian):
    assert aptpkg.normalize_name("zsh:amd64") == "zsh"
    assert aptpkg.normalize_name("zsh:i386") == "zsh:i386"
    assert aptpkg.parse_arch("zsh:i386") == {"name": "zsh", "arch": "i386"}


def test_version_cmp_ignores_the_epoch_when_asked(debian):
    assert aptpkg.version_cmp("1:1.0", "2.0") == 1
    assert aptpkg.version_cmp("1:1.0", "2.0", ignore_epoch=True) == -1
