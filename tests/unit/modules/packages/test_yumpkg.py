"""`pkg` of dnf and yum, with recorded output of dnf 4 and dnf5 on Fedora."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import rpm_lowpkg, yumpkg
from salt_g.modules.yumpkg import _yum

GRAINS = {"os": "Fedora", "os_family": "RedHat", "osarch": "x86_64", "osmajorrelease": 40}
INSTALLED = (
    "bash|(none)|5.2.26|3.fc40|x86_64|1712345678\n"
    "vim-minimal|2|9.1.113|1.fc40|x86_64|1712345678\n"
    "glibc|(none)|2.39|2.fc40|x86_64|1712345678\n"
    "glibc|(none)|2.39|2.fc40|i686|1712345678\n"
    "python3-dnf-plugin-versionlock|(none)|4.6.0|1.fc40|noarch|0\n"
)


@pytest.fixture
def fedora(machine, monkeypatch, tmp_path, installed):
    def make(program="dnf", **more):
        programs = machine(yumpkg, lowpkg=rpm_lowpkg, **{**GRAINS, **more})
        installed(program)
        monkeypatch.setattr(_yum, "_CONFIG_FILES", (str(tmp_path / "dnf.conf"),))
        (tmp_path / "repos").mkdir()
        (tmp_path / "dnf.conf").write_text(f"[main]\ngpgcheck=1\nreposdir={tmp_path}/repos\n")
        programs.answer("rpm -qa", INSTALLED)
        programs.repos = tmp_path / "repos"
        return programs

    return make


def test_packages_of_another_architecture_have_it_in_their_name(fedora):
    fedora()

    found = yumpkg.list_pkgs()

    assert found["vim-minimal"] == "2:9.1.113-1.fc40"
    assert found["glibc"] == "2.39-2.fc40"
    assert found["glibc.i686"] == "2.39-2.fc40"


def test_attributes_of_packages_are_reported_on_request(fedora):
    fedora()

    found = yumpkg.list_pkgs(attr="version,arch,install_date")

    assert found["bash"] == [{"version": "5.2.26", "arch": "x86_64", "install_date": "2024-04-05T19:34:38Z"}]


def test_a_list_with_wrapped_lines_is_read_by_words(fedora):
    fedora()
    text = "Available Packages\nbash.x86_64  5.2.32-1.fc40  @updates\nlong-name.noarch\n   1.0-1   fedora\n"

    assert [tuple(each) for each in _yum.parse_list(text)] == [
        ("bash", "5.2.32-1.fc40", "updates"),
        ("long-name", "1.0-1", "fedora"),
    ]


def test_the_newest_version_is_reported_when_it_is_newer_than_the_installed_one(fedora):
    programs = fedora()
    programs.answer(
        "list available",
        "Available Packages\nbash.x86_64 5.2.32-1.fc40 updates\nbash.x86_64 5.2.26-3.fc40 fedora\n",
    )

    assert yumpkg.latest_version("bash", refresh=False, fromrepo="updates") == "5.2.32-1.fc40"
    assert "dnf --quiet --disablerepo=* --enablerepo=updates list available bash" in programs.lines
    programs.answer("list available", "Available Packages\nbash.x86_64 5.2.26-3.fc40 fedora\n")
    assert yumpkg.latest_version("bash", refresh=False) == ""


def test_a_refresh_reports_whether_there_are_updates(fedora):
    programs = fedora()
    programs.answer("check-update", "bash.x86_64 5.2.32-1.fc40 updates\n", retcode=100)

    assert yumpkg.refresh_db() is True
    programs.answer("check-update", retcode=0)
    assert yumpkg.refresh_db() is None
    programs.answer("check-update", retcode=1)
    assert yumpkg.refresh_db() is False


def test_installing_reports_what_changed(fedora):
    programs = fedora()
    programs.answer(
        " install ",
        then=lambda: programs.answer("rpm -qa", INSTALLED + "tree|(none)|2.1.1|6.fc40|x86_64|1\n"),
    )

    changes = yumpkg.install("tree", enablerepo="updates")

    assert changes == {"tree": {"old": "", "new": "2.1.1-6.fc40"}}
    assert "dnf -y --best --allowerasing --enablerepo=updates install tree" in programs.lines


def test_dnf5_takes_its_options_behind_the_command(fedora):
    programs = fedora("dnf5")

    yumpkg.install("tree", skip_verify=True)

    assert "dnf5 -y --nogpgcheck install --best --allowerasing tree" in programs.lines


def test_versions_are_reported_without_epoch_and_a_lower_one_is_a_downgrade(fedora):
    programs = fedora()

    yumpkg.install(pkgs=[{"vim-minimal": "2:9.1.200-1.fc40"}, {"bash": "5.1-1.fc40"}])

    assert "dnf -y --best --allowerasing install vim-minimal-9.1.200-1.fc40" in programs.lines
    assert "dnf -y downgrade bash-5.1-1.fc40" in programs.lines


def test_an_unavailable_version_is_an_error_that_lists_the_available_ones(fedora):
    programs = fedora()
    (programs.repos / "fedora.repo").write_text("[fedora]\nname=Fedora\nbaseurl=http://x/\nenabled=1\n")
    programs.answer(
        "repository-packages fedora list", "Available Packages\nbash.x86_64 5.2.26-3.fc40 fedora\n"
    )

    with pytest.raises(CommandExecutionError) as caught:
        yumpkg.install(pkgs=[{"bash": ">=6"}, {"bash.i686": "4*"}])

    errors = caught.value.info["errors"]
    assert "No version matching 'bash>=6' could be found (available: 5.2.26-3.fc40)" in errors


def test_a_failed_command_is_reported_with_what_it_wrote(fedora):
    programs = fedora()
    programs.answer(" install ", "Error: Unable to find a match: nosuch", retcode=1)

    with pytest.raises(CommandExecutionError) as caught:
        yumpkg.install("nosuch")

    assert caught.value.info["errors"] == ["Error: Unable to find a match: nosuch"]
    assert str(caught.value).startswith("Error occurred installing package(s)")


def test_held_packages_are_left_alone(fedora):
    programs = fedora()
    programs.answer("versionlock list", "bash-0:5.2.26-3.fc40.*\n")

    with pytest.raises(CommandExecutionError) as caught:
        yumpkg.install(pkgs=["bash", "tree"])

    assert "dnf -y --best --allowerasing install tree" in programs.lines
    assert "because they are being held: bash" in caught.value.info["errors"][0]


def test_holds_are_let_go_while_installing_when_that_is_wanted(fedora):
    programs = fedora()
    programs.answer("versionlock list", "bash-0:5.2.26-3.fc40.*\n")

    yumpkg.install("bash", update_holds=True)

    ours = [line for line in programs.lines if "bash" in line and "rpm" not in line]
    assert ours == ["dnf versionlock delete bash", "dnf -y --best --allowerasing install bash"]


def test_holding_reports_each_package(fedora):
    programs = fedora()
    programs.answer("versionlock list", "bash-0:5.2.26-3.fc40.*\n")

    result = yumpkg.hold(pkgs=["bash", "glibc"])

    assert result["bash"]["comment"] == "Package bash is already set to be held."
    assert result["glibc"]["changes"] == {"new": "hold", "old": ""}
    assert yumpkg.list_holds() == ["bash-0:5.2.26-3.fc40.*"]


def test_holding_without_the_plugin_names_it(fedora):
    programs = fedora()
    programs.answer("rpm -qa", "bash|(none)|5.2.26|3.fc40|x86_64|1712345678\n")

    with pytest.raises(InvocationError, match="python3-dnf-plugin-versionlock is not installed"):
        yumpkg.hold("bash")


def test_yum_s_locks_are_found_by_name(fedora):
    programs = fedora("yum", os="CentOS", osmajorrelease=7)
    programs.answer("rpm -qa", INSTALLED + "yum-plugin-versionlock|(none)|1.1.31|54.el7|noarch|0\n")
    programs.answer(
        "versionlock list", "Loaded plugins: versionlock\n0:bash-4.2.46-35.el7.*\nversionlock list done\n"
    )

    assert yumpkg.list_holds() == ["0:bash-4.2.46-35.el7.*"]
    assert yumpkg.list_holds(full=False) == ["bash"]
    assert yumpkg.unhold("bash")["bash"]["comment"] == "Package bash is no longer held."
    assert "yum versionlock delete 0:bash-4.2.46-35.el7.*" in programs.lines


def test_a_package_is_removed_in_one_version_only(fedora):
    programs = fedora()

    assert yumpkg.remove("nosuch") == {}
    yumpkg.remove(pkgs=[{"vim-minimal": "2:9.1.113-1.fc40"}, "glibc*"])

    assert "dnf -y remove vim-minimal-9.1.113-1.fc40 glibc glibc.i686" in programs.lines


def test_a_failed_upgrade_reports_what_did_change(fedora):
    programs = fedora()
    programs.answer(" upgrade", retcode=1, stderr="disk full")

    with pytest.raises(CommandExecutionError, match="Problem encountered upgrading packages") as caught:
        yumpkg.upgrade(refresh=False, security=True)

    assert caught.value.info["result"]["stderr"] == "disk full"
    assert "dnf --quiet -y --security upgrade" in programs.lines


def test_a_group_is_compared_with_what_is_installed(fedora):
    programs = fedora()
    programs.answer(
        "groupinfo Shell",
        "Group: Shell\n Description: Shells\n Mandatory Packages:\n   bash\n Default Packages:\n   zsh\n"
        " Optional Packages:\n   fish\n",
    )

    assert yumpkg.group_info("Shell")["description"] == "Shells"
    assert yumpkg.group_diff("Shell")["mandatory"] == {"installed": ["bash"], "not installed": []}
    yumpkg.group_install("Shell", include=["tree"])
    assert "dnf -y --best --allowerasing install zsh tree" in programs.lines


def test_a_repository_is_added_changed_and_taken_away(fedora):
    programs = fedora()
    (programs.repos / "a.repo").write_text("# of Fedora\n[a]\nname=A\n# why\nbaseurl=http://a/\nenabled=1\n")

    yumpkg.mod_repo("b", name="B", baseurl="http://b/", gpgcheck=True)
    yumpkg.mod_repo("a", mirrorlist="http://m/")

    assert (programs.repos / "b.repo").read_text() == "[b]\nname=B\nbaseurl=http://b/\ngpgcheck=1\n"
    assert yumpkg.get_repo("a") == {
        "name": "A",
        "enabled": "1",
        "mirrorlist": "http://m/",
        "comments": ["why"],
    }
    assert set(yumpkg.list_repos()) == {"a", "b"}
    assert yumpkg.del_repo("b").endswith("b.repo containing repo b has been removed")
    assert not (programs.repos / "b.repo").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"baseurl": "http://x/"}, "a name was not given"),
        ({"name": "X"}, "none of baseurl, mirrorlist, metalink was given"),
        ({"name": "X", "baseurl": "http://x/", "metalink": "http://x/"}, "One and only one of"),
    ],
)
def test_a_repository_without_a_place_is_refused(fedora, arguments, problem):
    fedora()

    with pytest.raises(InvocationError, match=problem):
        yumpkg.mod_repo("x", **arguments)


def test_advisories_are_read_with_what_they_mend(fedora):
    programs = fedora()
    programs.answer(
        "updateinfo list all",
        "i FEDORA-2024-1 Important/Sec. bash-5.2-1.x86_64\n  FEDORA-2024-2 bugfix vim-9-1.x86_64\n",
    )

    assert yumpkg.list_patches()["FEDORA-2024-2"] == {"installed": False, "summary": ["vim-9-1.x86_64"]}
    assert list(yumpkg.list_installed_patches()) == ["FEDORA-2024-1"]
