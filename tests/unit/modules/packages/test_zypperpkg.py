"""`pkg` of zypper, with recorded output of zypper 1.14 on openSUSE."""

import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import rpm_lowpkg, zypperpkg

GRAINS = {"os": "SUSE", "os_family": "Suse", "osarch": "x86_64", "osrelease_info": (15, 5)}
INSTALLED = (
    "bash|(none)|4.4|150400.25.22|x86_64|1712345678\ngpg-pubkey|(none)|29b700a4|62b07e22|(none)|1712345678\n"
)
SEARCH = (
    "<?xml version='1.0'?><stream><search-result version='0.0'><solvable-list>"
    "<solvable status='not-installed' name='tree' kind='package' edition='1.8-1' repository='oss'/>"
    "<solvable status='not-installed' name='tree' kind='package' edition='2.0-1' repository='upd'/>"
    "<solvable status='installed' name='x' kind='pattern'/></solvable-list></search-result></stream>"
)
NOTHING = "<?xml version='1.0'?><stream><message type='info'>No matching items found.</message></stream>"


@pytest.fixture
def suse(machine, monkeypatch, tmp_path):
    def make(**more):
        programs = machine(zypperpkg, lowpkg=rpm_lowpkg, **GRAINS, **more)
        programs.answer("rpm -qa", INSTALLED)
        programs.root = str(tmp_path)
        (tmp_path / "etc/zypp/repos.d").mkdir(parents=True)
        programs.etc = tmp_path / "etc/zypp"
        monkeypatch.setattr(
            sys.modules["salt_g.modules.zypperpkg.repos"], "_DIRECTORY", str(programs.etc / "repos.d")
        )
        monkeypatch.setattr(
            sys.modules["salt_g.modules.zypperpkg.hold"], "_FILE", str(programs.etc / "locks")
        )
        return programs

    return make


def test_keys_are_not_packages(suse):
    suse()

    assert zypperpkg.list_pkgs() == {"bash": "4.4-150400.25.22"}


def test_products_are_listed_on_request(suse):
    programs = suse()
    programs.answer(
        "products -i",
        "<?xml version='1.0'?><stream><product-list><product name='Leap' version='15.5' epoch='0' "
        "release='1' arch='x86_64' isbase='true' installed='1'><endoflife time_t='1733' text='2024'/>"
        "<description>openSUSE\n Leap</description></product></product-list></stream>",
    )

    assert zypperpkg.list_pkgs(includes=["product"])["product:Leap"] == "0:15.5-1"
    assert zypperpkg.list_products()[0]["description"] == "openSUSE Leap"
    assert zypperpkg.list_products()[0]["eol_t"] == 1733


def test_missing_or_old_packages_have_a_latest_version(suse):
    programs = suse()
    programs.answer(
        "info -t package",
        "Information for package bash:\n---\nName    : bash\nVersion : 4.4-1\nInstalled : Yes\n"
        "Status  : up-to-date\n\nInformation for package tree:\n---\nName : tree\nVersion : 1.8-1\n"
        "Installed : No\nStatus : not installed\n",
    )

    assert zypperpkg.latest_version("bash", "tree", refresh=False) == {"bash": "", "tree": "1.8-1"}
    assert zypperpkg.info_available("bash", refresh=False)["bash"]["installed"] is True


def test_a_refresh_reports_each_repository(suse):
    programs = suse()
    programs.answer(
        "refresh",
        "Repository 'oss' is up to date.\nRetrieving repository 'upd' metadata [done]\n"
        "Building repository 'upd' cache [....done]\n",
    )

    assert zypperpkg.refresh_db(gpgautoimport=True) == {"oss": False, "upd": True}
    assert programs.lines[-1] == "zypper --non-interactive --gpg-auto-import-keys refresh --force"


def test_upgrades_are_read_from_xml(suse):
    programs = suse()
    programs.answer(
        "list-updates",
        "<?xml version='1.0'?><stream><update-status><update-list>"
        "<update kind='package' name='bash' edition='4.4-2'/><update kind='patch' name='p' edition='1'/>"
        "</update-list></update-status></stream>",
    )

    assert zypperpkg.list_upgrades(refresh=False) == {"bash": "4.4-2"}


def test_offered_packages_are_reported_newest_first(suse):
    programs = suse()
    programs.answer("se -s", SEARCH)

    assert zypperpkg.list_repo_pkgs("tree") == {"tree": ["2.0-1", "1.8-1"]}
    assert zypperpkg.list_repo_pkgs("tree", byrepo=True)["oss"] == {"tree": ["1.8-1"]}


def test_installing_reports_what_changed(suse):
    programs = suse()
    programs.answer(
        " install ", then=lambda: programs.answer("rpm -qa", INSTALLED + "tree|(none)|2.0|1|x86_64|1\n")
    )

    assert zypperpkg.install(pkgs=[{"tree": ">=1.8"}, "bash"]) == {"tree": {"old": "", "new": "2.0-1"}}
    assert (
        "zypper --non-interactive --no-refresh install --auto-agree-with-licenses --name tree>=1.8 bash"
        in programs.lines
    )


def test_a_glob_of_a_version_becomes_the_newest_one(suse):
    programs = suse()
    programs.answer("se -xv", SEARCH)

    zypperpkg.install("tree", version="2*")

    assert programs.lines[-2].endswith("--name tree=2.0-1")


def test_a_lower_version_is_installed_by_force(suse):
    programs = suse()
    programs.answer(
        " install ",
        "The selected package 'bash-4.3' from repository 'oss' has lower version than the installed\n",
    )

    zypperpkg.install(pkgs=[{"bash": "4.3"}])

    assert any(line.endswith("--name --force bash-4.3") for line in programs.lines)


def test_an_error_in_xml_is_reported(suse):
    programs = suse()
    programs.answer(
        "list-updates",
        "<?xml version='1.0'?><stream><message type='error'>Repository 'x' is invalid.</message></stream>",
        retcode=4,
    )

    with pytest.raises(CommandExecutionError, match="Zypper command failure: Repository 'x' is invalid."):
        zypperpkg.list_upgrades(refresh=False)


def test_locks_are_read_set_and_taken_away(suse):
    programs = suse()
    (programs.etc / "locks").write_text(
        "\ntype: package\nmatch_type: glob\ncase_sensitive: on\nsolvable_name: vim\nversion: == 9.1\n"
    )

    assert zypperpkg.list_locks()["vim"]["match_type"] == "glob"
    assert zypperpkg.hold(pkgs=["vim", {"bash": "4.4"}])["bash"]["changes"] == {"new": "hold", "old": ""}
    assert programs.lines[-1] == "zypper --non-interactive --no-refresh al bash=4.4"
    assert zypperpkg.unhold("vim")["vim"]["comment"] == "Package vim is no longer held."
    assert programs.lines[-1] == "zypper --non-interactive --no-refresh rl vim=9.1"


def test_holds_are_selected_by_name_in_both_forms(suse):
    programs = suse()
    (programs.etc / "locks").write_text("\ntype: package\nsolvable_name: bash\n")
    programs.answer(" search ", SEARCH.replace("tree", "bash"))
    programs.answer("rpm -q bash", "\x1f4.4-15\x1fbash\x1e")

    assert zypperpkg.list_holds("ba.h") == ["bash-0:4.4-15.*"]
    assert zypperpkg.list_holds("ba.h", full=False) == ["bash"]
    assert zypperpkg.list_holds("ba", full=False) == []


def test_a_repository_is_added_and_changed(suse):
    programs = suse()
    file = programs.etc / "repos.d" / "r.repo"
    programs.answer(" ar http://x/ r", then=lambda: file.write_text("[r]\nenabled=1\nbaseurl=http://x/\n"))

    assert zypperpkg.mod_repo("r", baseurl="http://x/", name="R", gpgcheck=False)["enabled"] is True
    assert programs.lines[-1] == ("zypper --non-interactive --xmlout mr --no-gpgcheck --name R r")
    with pytest.raises(CommandExecutionError, match="Repository 's' already exists as 'r'."):
        zypperpkg.mod_repo("s", baseurl="http://x")
    with pytest.raises(CommandExecutionError, match="Repository 'nosuch' not found."):
        zypperpkg.del_repo("nosuch")


def test_a_capability_becomes_the_package_that_has_it(suse):
    programs = suse()
    programs.answer("search", NOTHING, retcode=104)
    programs.answer("search --match-exact --provides", SEARCH)

    several = zypperpkg.resolve_capabilities(["tree(x)"], resolve_capabilities=True)
    one = SEARCH.replace("name='x'", "name='tree'")
    programs.answer("search --match-exact --provides", one)

    assert several == ["tree(x)"]
    assert zypperpkg.resolve_capabilities([{"tree(x)": "1"}], resolve_capabilities=True) == [{"tree": "1"}]
    assert zypperpkg.resolve_capabilities(["x"]) == ["x"]


def test_nothing_offered_is_not_a_failure(suse):
    programs = suse()
    programs.answer("se -s", NOTHING, retcode=104)

    assert zypperpkg.list_repo_pkgs("nosuch") == {}


def test_nothing_found_by_a_search_is_an_error(suse):
    programs = suse()
    programs.answer("search", NOTHING, retcode=104)

    with pytest.raises(CommandExecutionError, match="No packages found matching 'nosuch'"):
        zypperpkg.search("nosuch")
