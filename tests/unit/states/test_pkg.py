"""Package states with a fake package module that keeps a dict."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import pkg_resource
from salt_g.modules._changes import compare
from salt_g.modules._debian_versions import compare as order
from salt_g.shapes.aggregation import is_aggregated
from salt_g.states import pkg


class System:
    """Installed packages ({name: version}), available packages, and the calls made."""

    def __init__(self):
        self.packages = {"bash": "5.2", "tar": "1.34"}
        self.offers = {"bash": "5.2", "nano": "7.2", "tar": "1.35"}
        self.held = []
        self.queries = 0

    def list_pkgs(self, versions_as_list=False, removed=False, purge_desired=False, **kwargs):
        self.queries += not (removed or purge_desired)
        packages = {} if removed or purge_desired else self.packages
        return {name: [version] if versions_as_list else version for name, version in packages.items()}

    def install(self, name=None, pkgs=None, **kwargs):
        old = dict(self.packages)
        for wish in pkgs or [name]:
            name, version = next(iter(wish.items())) if isinstance(wish, dict) else (wish, None)
            if name not in self.offers:
                info = {"errors": [f"E: no {name}"], "changes": {}}
                raise CommandExecutionError("Problem encountered installing package(s)", info=info)
            self.packages[name] = version or self.offers[name]
        return compare(old, self.packages)

    def remove(self, name=None, pkgs=None, **kwargs):
        old = dict(self.packages)
        for each in pkgs or [name]:
            self.packages.pop(each, None)
        return compare(old, self.packages)

    def latest_version(self, *names, **kwargs):
        found = {name: self._newer(name) for name in names}
        return found if len(names) != 1 else found[names[0]]

    def _newer(self, name):
        offer = self.offers.get(name, "")
        return "" if self.packages.get(name) == offer else offer

    def version(self, *names, **kwargs):
        found = {name: self.packages.get(name, "") for name in names}
        return found if len(names) != 1 else found[names[0]]

    def hold(self, name=None, pkgs=None, **kwargs):
        self.held += pkgs
        changes = {"old": "install", "new": "hold"}
        return {
            each: {"name": each, "changes": changes, "result": True, "comment": f"{each} held"}
            for each in pkgs
        }

    def table(self):
        names = ("list_pkgs", "install", "remove", "latest_version", "version", "hold")
        return {
            **{f"pkg.{name}": getattr(self, name) for name in names},
            "pkg.version_cmp": lambda first, second, ignore_epoch=False: order(first, second),
            "pkg.get_selections": lambda state=None: {"hold": self.held},
            **{
                f"pkg_resource.{name}": getattr(pkg_resource, name)
                for name in ("parse_targets", "version_compare", "version_clean", "check_extra_requirements")
            },
        }


@pytest.fixture
def system(call_context, tmp_path):
    made = System()

    def enter(**opts):
        call_context(functions=made.table(), opts={"cachedir": str(tmp_path), **opts})
        return made

    return enter


def test_two_hundred_installed_packages_cost_one_query(system):
    made = system()
    made.packages = {f"p{number}": "1" for number in range(200)}

    result = pkg.installed("many", pkgs=list(made.packages))

    assert result["comment"] == "All specified packages are already installed"
    assert result["changes"] == {}
    assert made.queries == 1


def test_a_missing_package_is_installed(system):
    system()

    result = pkg.installed("nano")

    assert result == {
        "name": "nano",
        "result": True,
        "comment": "The following packages were installed/updated: nano",
        "changes": {"nano": {"old": "", "new": "7.2"}},
    }


def test_test_mode_names_the_version_to_be_installed(system):
    made = system(test=True)

    result = pkg.installed("editors", pkgs=["nano", "bash"])

    assert result["result"] is None
    assert result["comment"] == "The following packages would be installed/updated: nano"
    assert result["changes"] == {"nano": {"new": "7.2", "old": ""}}
    assert "nano" not in made.packages


@pytest.mark.parametrize("wanted", ["5.2", "5.*", ">=5, <6", "=5.2"])
def test_a_version_that_is_as_wanted_is_left_alone(system, wanted):
    system()

    result = pkg.installed("bash", version=wanted)

    assert result["comment"] == "All specified packages are already installed and are at the desired version"


def test_another_version_is_replaced_unless_updates_are_allowed(system):
    system()

    assert pkg.installed("bash", version="5.1", allow_updates=True)["changes"] == {}
    assert pkg.installed("bash", version="5.1")["changes"] == {"bash": {"old": "5.2", "new": "5.1"}}


def test_a_failed_installation_shows_the_errors_below_the_message(system):
    system()

    result = pkg.installed("nosuch")

    assert result["result"] is False
    assert result["comment"] == (
        "Problem encountered installing package(s). Additional info follows:\n\nerrors:\n    - E: no nosuch"
    )


def test_hold_is_reported_in_changes_and_comment(system):
    made = system()

    result = pkg.installed("nano", hold=True)

    assert made.held == ["nano"]
    assert result["changes"]["nano"] == {"old": "install", "new": "7.2\nhold"}


def test_sources_and_pkgs_together_are_refused(system):
    system()

    result = pkg.installed("x", pkgs=["a"], sources=[{"b": "/b.deb"}])

    assert (result["result"], result["comment"]) == (False, 'Only one of "pkgs" and "sources" is permitted.')


def test_latest_upgrades_what_is_old_and_names_what_was_not(system):
    system()

    result = pkg.latest("both", pkgs=["tar", "bash"], refresh=False)

    assert result["changes"] == {"tar": {"old": "1.34", "new": "1.35"}}
    assert result["comment"] == (
        "The following packages were successfully installed/upgraded: tar "
        "The following packages were already up-to-date: bash"
    )


def test_latest_of_an_unknown_package_fails(system):
    system()

    assert pkg.latest("nosuch", refresh=False)["comment"] == "No information found for 'nosuch'."


def test_removed_leaves_alone_another_version(system):
    made = system()

    result = pkg.removed("bash", version="4")

    assert result["comment"] == "All specified packages (matching specified versions) are already absent"
    assert "bash" in made.packages


def test_removed_reports_what_went_and_what_was_not_there(system):
    system()

    result = pkg.removed("x", pkgs=["bash", "nano"])

    assert result["changes"] == {"bash": {"old": "5.2", "new": ""}}
    assert result["comment"] == (
        "The following packages were not installed: nano The following packages were removed: bash."
    )


def test_held_in_test_mode_changes_nothing(system):
    made = system(test=True)

    result = pkg.held("bash")

    assert result["comment"] == "The following package would be held: bash"
    assert made.held == []


def test_aggregating_takes_the_packages_of_later_chunks(system):
    system()
    low = {"state": "pkg", "fun": "installed", "__id__": "a", "name": "a", "pkgs": ["a"]}
    later = [
        {"state": "pkg", "fun": "installed", "__id__": "b", "name": "b"},
        {"state": "pkg", "fun": "installed", "__id__": "c", "name": "c", "version": "2"},
        {"state": "pkg", "fun": "removed", "__id__": "d", "name": "d"},
    ]

    made = pkg.mod_aggregate(low, later, {})

    assert made["pkgs"] == ["a", "b", {"c": "2"}]
    assert [is_aggregated(chunk) for chunk in later] == [True, True, False]


def test_the_first_state_of_a_run_asks_for_a_refresh(system, tmp_path):
    system()

    assert pkg.mod_init({"fun": "installed"}) is True
    assert pkg.mod_init({"fun": "removed"}) is False
    assert (tmp_path / "pkg_refresh").exists()
