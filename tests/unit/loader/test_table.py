"""A table of functions, which imports files only when one of their names is looked up."""

import os

import pytest

from salt_g.errors import NoSuchFunction
from salt_g.loader.index import read_directory
from salt_g.loader.table import FunctionTable

APT = (
    "__virtualname__ = 'pkg'\ndef __virtual__():\n    return (False, 'needs apt')\ndef install():\n    pass\n"
)
DNF = "__virtualname__ = 'pkg'\ndef install():\n    return 'dnf'\ndef remove():\n    return 'gone'\n"
FILES = {"apt": APT, "dnf": DNF, "web": "def start():\n    return 'up'\n"}


FILES_BESIDE = {"dnf": DNF}


@pytest.fixture
def table(tmp_path):
    """Return a function that makes a table over files with these texts.

    Each file records its import in `.imported`.
    """

    def make(files=FILES, **options):
        imported = []
        for stem, text in files.items():
            (tmp_path / f"{stem}.py").write_text(f"__note__('{stem}')\n{text}")
        entries = read_directory(str(tmp_path), {})
        made = FunctionTable("modules", entries, dunders=lambda: {"__note__": imported.append}, **options)
        made.imported = imported
        return made

    return make


def test_only_files_that_may_have_the_name_are_imported_and_each_once(table):
    made = table()

    assert (made["web.start"](), made["web.start"]()) == ("up", "up")
    assert made.imported == ["web"]


def test_a_name_that_two_files_claim_is_of_the_first_that_is_available(table):
    made = table()

    assert made["pkg.install"]() == "dnf"
    assert made.imported == ["apt", "dnf"]


def test_the_provider_of_a_name_is_the_only_file_asked(table):
    made = table(providers={"pkg": "dnf"})

    assert made["pkg.remove"]() == "gone"
    assert made.imported == ["dnf"]


def test_the_provider_of_a_name_serves_although_it_refuses(table):
    assert table(providers={"pkg": "apt"})["pkg.install"]() is None


def test_names_are_known_from_the_texts_without_an_import(table):
    made = table()

    assert made.known_names() == {"pkg.install", "pkg.remove", "web.start"}
    assert (made.has_plugin("pkg"), made.has_plugin("web"), made.has_plugin("nosuch")) == (True, True, False)
    assert made.imported == []


def test_all_names_are_sorted_and_counted(table):
    made = table()

    assert list(made) == ["pkg.install", "pkg.remove", "web.start"]
    assert (len(made), made.module_names()) == (3, ["pkg", "web"])


def test_a_file_serves_under_its_further_names_too(table):
    made = table(
        {"web": "__virtual_aliases__ = ('site', 'page')\ndef start():\n    return 'up'\n", **FILES_BESIDE}
    )

    assert made["page.start"]() == "up"
    assert made.imported == ["web"]
    assert {"page.start", "site.start", "web.start"} <= set(made)


def test_a_file_without_functions_here_says_why(table):
    made = table()

    assert made.plugin("apt").reason == "needs apt"
    assert [(plugin.name, bool(plugin.reason)) for plugin in made.plugins()] == [
        ("pkg", True),
        ("pkg", False),
        ("web", False),
    ]
    assert made.plugin("nosuch") is None


def test_the_reason_is_given_only_while_no_other_file_serves_the_name(table):
    one = table({"apt": APT})

    assert one.why_missing("pkg.install") == "'pkg' __virtual__ returned False: needs apt"
    assert table().why_missing("pkg.nosuch") == ""


def test_the_reason_is_reported_beside_files_that_compute_their_names(table):
    computed = "def __virtual__():\n    return {}\ndef go():\n    pass\n"
    made = table({"apt": APT, "free": computed.format("'other'"), "shut": computed.format("(False, 'no')")})

    assert made.why_missing("pkg.install") == "'pkg' __virtual__ returned False: needs apt"
    assert made.why_missing("shut.go") == "'shut' __virtual__ returned False: no"
    assert made.why_missing("nosuch.go") == ""


def test_a_missing_name_is_an_error_with_the_nearest_ones(table):
    with pytest.raises(NoSuchFunction) as caught:
        table()["web.strat"]

    assert caught.value.nearest == ["web.start"]
    assert table().get("web.strat", "else") == "else"
    assert "web.strat" not in table() and 7 not in table()


def test_files_that_look_for_functions_while_they_load_are_loaded_once(table):
    text = (
        "def __virtual__():\n    return ''.join(('web', '{}')) if 'missing.it' not in __salt__ else False\n"
    )
    salt = {}
    made = table({f"m{number}": text.format(number) + "def f():\n    pass\n" for number in range(100)})
    made._dunders = lambda: {"__note__": made.imported.append, "__salt__": salt["table"]}
    salt["table"] = made

    assert len(made) == 100
    assert sorted(made.imported) == sorted(f"m{number}" for number in range(100))
    assert {name for name in made if name.startswith("web7.")} == {"web7.f"}


def test_other_entries_are_read_again_from_users_files(table, tmp_path):
    made = table()
    assert made["web.start"]() == "up"

    (tmp_path / "web.py").write_text("def start():\n    return 'renewed'\n")
    (tmp_path / "dnf.py").unlink()
    made.replace_entries(read_directory(str(tmp_path), {}))

    assert made["web.start"]() == "renewed"
    assert list(made) == ["web.start"]


def test_a_users_plugin_goes_before_the_built_in_one_also_after_a_reload(tmp_path):
    """States that may bring plugins reload them during a run."""
    (tmp_path / "disk.py").write_text("def usage():\n    return 'theirs'\n")
    ours = os.path.dirname(__import__("salt_g.modules.disk", fromlist=["x"]).__file__)
    entries = [
        *read_directory(str(tmp_path), {}),
        *(
            one
            for one in read_directory(os.path.dirname(ours), {}, package="salt_g.modules")
            if one.stem == "disk"
        ),
    ]
    made = FunctionTable("modules", entries, dunders=dict)
    assert made["disk.usage"]() == "theirs"
    assert "disk.percent" in made

    made.replace_entries(entries)

    assert made["disk.usage"]() == "theirs"
    assert "disk.percent" in made
