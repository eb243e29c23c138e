"""`pkgrepo` with apt: arguments are written, and a second run changes nothing."""

import sys

import pytest

from salt_g.modules import aptpkg
from salt_g.states import pkgrepo

LINE = "deb [arch=amd64 signed-by=/k.gpg] http://e.org/debian bookworm main"
PLAIN = "deb http://e.org/debian bookworm main"
STANZA = """\
Types: deb
URIs: http://e.org/debian
Suites: bookworm
Components: main
Signed-By: /k.gpg
Languages: en
"""


@pytest.fixture
def apt_programs(machine, monkeypatch, tmp_path):
    files = sys.modules["salt_g.modules.aptpkg._sources"]
    monkeypatch.setattr(files, "MAIN_FILE", str(tmp_path / "sources.list"))
    monkeypatch.setattr(files, "DIRECTORY", str(tmp_path))
    return machine(aptpkg, os="Debian", os_family="Debian")


@pytest.fixture
def lists(apt_programs, tmp_path):
    return tmp_path


def managed_twice(name, **arguments):
    first = pkgrepo.managed(name, refresh=False, **arguments)
    second = pkgrepo.managed(name, refresh=False, **arguments)
    assert "Configured package repo" in first["comment"]
    assert (second["comment"], second["changes"]) == (f"Package repo '{name}' already configured", {})
    return first["changes"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"uris": "http://f.org/debian"}, "URIs: http://f.org/debian"),
        ({"uris": ["http://e.org/debian", "http://f.org/x"]}, "URIs: http://e.org/debian http://f.org/x"),
        ({"suites": "bookworm,trixie"}, "Suites: bookworm trixie"),
        ({"dist": "sid"}, "Suites: sid"),
        ({"types": "deb deb-src"}, "Types: deb deb-src"),
        ({"comps": "main,contrib"}, "Components: main contrib"),
        ({"architectures": "amd64"}, "Architectures: amd64"),
        ({"signedby": "/l.gpg"}, "Signed-By: /l.gpg"),
        ({"comments": ["mine"]}, "#mine"),
    ],
)
def test_an_argument_changes_its_field_of_a_stanza(lists, arguments, field):
    (lists / "e.sources").write_text(STANZA)

    changes = managed_twice(PLAIN, **arguments)

    text = (lists / "e.sources").read_text()
    assert changes != {}
    assert field in text.splitlines()
    assert "Languages: en" in text
    assert text.count("Types:") == 1


def test_a_new_stanza_has_all_of_it(lists):
    managed_twice(
        "deb [arch=amd64 signed-by=/k.gpg lang=en] http://e.org/debian bookworm main",
        file=str(lists / "n.sources"),
        suites=["bookworm", "trixie"],
        types="deb deb-src",
    )

    assert (lists / "n.sources").read_text().splitlines() == [
        "Types: deb deb-src",
        "URIs: http://e.org/debian",
        "Suites: bookworm trixie",
        "Components: main",
        "Architectures: amd64",
        "Signed-By: /k.gpg",
        "Languages: en",
    ]


def test_an_option_of_the_line_changes_a_stanza(lists):
    (lists / "e.sources").write_text(STANZA)

    managed_twice("deb [lang=de] http://e.org/debian bookworm main")

    assert "Languages: de" in (lists / "e.sources").read_text()


def test_a_stanza_that_is_as_wanted_stays(lists):
    (lists / "e.sources").write_text(STANZA)

    ret = pkgrepo.managed(PLAIN, refresh=False)

    assert (ret["comment"], ret["changes"]) == (f"Package repo '{PLAIN}' already configured", {})
    assert (lists / "e.sources").read_text() == STANZA


@pytest.mark.parametrize("file", ["e.list", "e.sources"])
def test_a_line_with_options_that_the_name_lacks_settles(lists, file):
    (lists / "e.list").write_text(f"{LINE}\n")

    managed_twice(PLAIN, file=str(lists / file))

    assert (lists / "e.list").read_text() == "deb http://e.org/debian bookworm main\n"


@pytest.mark.parametrize("name", [LINE, f"{LINE} # mine"])
def test_a_line_with_options_is_left_alone(lists, name):
    (lists / "e.list").write_text(f"{name}\n")

    ret = pkgrepo.managed(LINE, refresh=False, file=str(lists / "e.sources"))

    assert (ret["comment"], ret["changes"]) == (f"Package repo '{LINE}' already configured", {})


def test_several_suites_need_a_stanza(lists):
    ret = pkgrepo.managed(LINE, refresh=False, file=str(lists / "e.list"), suites=["a", "b"])

    assert ret["result"] is False
    assert "use a .sources file" in ret["comment"]
    assert list(lists.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("e.sources", STANZA.replace("Languages: en", "Architectures: amd64")),
        ("e.list", "deb [arch=amd64] http://e.org/debian bookworm main\n"),
    ],
)
def test_an_entry_for_one_architecture_is_not_that_for_all(lists, file, text):
    (lists / file).write_text(text)

    other = pkgrepo.absent(PLAIN)
    same = pkgrepo.absent(LINE.replace(" signed-by=/k.gpg", ""))

    assert (other["result"], other["comment"]) == (True, f"Package repo {PLAIN} is absent")
    assert same["result"] is True
    assert not (lists / file).exists()


def test_a_failed_refresh_says_that_the_repository_stays(apt_programs, lists, caplog):
    apt_programs.answer("apt-get -q update", retcode=100, stderr="E: no network")
    file = str(lists / "e.list")

    result = pkgrepo.managed(PLAIN, signedby="/k.gpg", file=file)

    assert result["result"] is False
    assert "E: no network" in result["comment"]
    assert result["changes"] == {"repo": PLAIN}
    assert "http://e.org/debian" in (lists / "e.list").read_text()
    assert f"is written in {file} and stays there" in caplog.text


def test_a_repository_that_was_not_written_has_no_changes(apt_programs, lists):
    result = pkgrepo.managed(PLAIN, file=str(lists / "e.list"), aptkey=False)

    assert (result["result"], result["changes"]) == (False, {})
