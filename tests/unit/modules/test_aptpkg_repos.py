"""Repository lists: both formats, read, changed and written below a directory of the test."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import aptpkg
from salt_g.modules.aptpkg import _deb822, _one_line, _sources

LINE = "deb [arch=amd64 signed-by=/k.gpg] http://e.org/debian bookworm main contrib"
STANZA = """\
# hand-made
Types: deb deb-src
URIs: http://d.org/debian
Suites: bookworm bookworm-updates
Components: main
Languages: en
"""


@pytest.fixture
def lists(programs, tmp_path, monkeypatch, installed):
    directory = tmp_path / "sources.list.d"
    directory.mkdir()
    monkeypatch.setattr(_sources, "MAIN_FILE", str(tmp_path / "sources.list"))
    monkeypatch.setattr(_sources, "DIRECTORY", str(directory))
    installed("apt-key", "gpg")
    programs(grains={"os": "Debian", "oscodename": "bookworm"}, opts={"cachedir": str(tmp_path)})
    return directory


def test_a_line_survives_being_read_and_written():
    assert _one_line.render(_one_line.parse(LINE)) == LINE + "\n"
    assert _one_line.parse("# just words") is None
    assert _one_line.parse("# deb http://e.org/debian sid main").disabled


def test_a_line_may_name_a_disc_and_end_in_a_comment():
    source = _one_line.parse("deb cdrom:[Debian 12 _Bookworm_]/ bookworm main # the disc")

    assert source.uris == ["cdrom:[Debian 12 _Bookworm_]/"]
    assert source.comment == " the disc"


def test_a_stanza_keeps_unknown_fields():
    source = _deb822.parse(STANZA)

    assert source.types == ["deb", "deb-src"]
    assert "Languages: en" in _deb822.render(source)
    assert "# hand-made" in _deb822.render(source)


def test_a_stanza_is_reported_once_for_each_type_and_suite(lists):
    (lists / "d.sources").write_text(STANZA)

    result = aptpkg.list_repos()["http://d.org/debian"]

    assert [(each["type"], each["dist"]) for each in result] == [
        ("deb", "bookworm"),
        ("deb-src", "bookworm"),
        ("deb", "bookworm-updates"),
        ("deb-src", "bookworm-updates"),
    ]
    assert result[0]["line"] == "deb http://d.org/debian bookworm main"


def test_a_new_repository_goes_into_its_file(lists):
    file = lists / "e.list"

    result = aptpkg.mod_repo(LINE, file=str(file), refresh=False)

    assert file.read_text() == LINE + "\n"
    assert result[LINE]["comps"] == ["main", "contrib"]


def test_changing_a_repository_leaves_the_other_lines_as_they_were(lists):
    file = lists / "e.list"
    file.write_text(f"# mine\n{LINE}\ndeb   http://f.org/x   y  z\n")

    aptpkg.mod_repo(LINE, disabled=True, refresh=False)

    assert file.read_text() == f"# mine\n# {LINE}\ndeb   http://f.org/x   y  z\n"


def test_a_line_without_architectures_is_for_all_of_them(lists):
    file = lists / "e.list"
    file.write_text("deb [arch=amd64] http://e.org/debian bookworm main\n")

    aptpkg.mod_repo("deb http://e.org/debian bookworm main", refresh=False)

    assert file.read_text() == "deb http://e.org/debian bookworm main\n"


def test_changing_a_stanza_keeps_its_other_suites(lists):
    file = lists / "d.sources"
    file.write_text(STANZA)

    aptpkg.mod_repo("deb http://d.org/debian bookworm main contrib", refresh=False)

    assert "Components: main contrib" in file.read_text()
    assert "Suites: bookworm bookworm-updates" in file.read_text()


def test_the_slash_at_the_end_of_a_uri_is_that_of_the_line(lists):
    file = lists / "d.sources"
    file.write_text(STANZA.replace("debian", "debian http://m.org/debian"))

    aptpkg.mod_repo("deb http://d.org/debian/ bookworm main", refresh=False)
    with_slash = file.read_text()
    aptpkg.mod_repo("deb http://d.org/debian bookworm main", refresh=False)

    assert "URIs: http://d.org/debian/ http://m.org/debian\n" in with_slash
    assert "URIs: http://d.org/debian http://m.org/debian\n" in file.read_text()


def test_a_file_without_a_repository_left_is_removed(lists):
    file = lists / "e.list"
    file.write_text(LINE + "\n")

    result = aptpkg.del_repo(LINE)

    assert result == f"File {file} containing repo '{LINE}' has been removed."
    assert not file.exists()


def test_deleting_one_component_keeps_the_others(lists):
    file = lists / "e.list"
    file.write_text(LINE + "\n")

    result = aptpkg.del_repo(LINE.replace(" main", ""))

    assert result == f"Repo '{LINE.replace(' main', '')}' has been removed from {file}.\n"
    assert file.read_text() == LINE.replace(" contrib", "") + "\n"


def test_deleting_a_component_of_one_suite_leaves_those_of_the_others(lists):
    file = lists / "d.sources"
    file.write_text(STANZA.replace("main", "main contrib"))

    aptpkg.del_repo("deb http://d.org/debian bookworm-updates contrib")

    assert _left(file) == [
        (["http://d.org/debian"], ["bookworm"], ["main", "contrib"]),
        (["http://d.org/debian"], ["bookworm-updates"], ["main"]),
    ]
    assert file.read_text().count("# hand-made") == 1
    assert file.read_text().count("Languages: en") == 2


def test_deleting_more_components_than_an_entry_has_leaves_its_other_suites(lists):
    file = lists / "d.sources"
    file.write_text(STANZA)

    aptpkg.del_repo("deb http://d.org/debian bookworm main contrib")

    assert _left(file) == [(["http://d.org/debian"], ["bookworm-updates"], ["main"])]


def test_deleting_a_suite_of_one_server_leaves_it_on_the_others(lists):
    file = lists / "d.sources"
    file.write_text(STANZA.replace("debian", "debian http://m.org/debian/"))

    aptpkg.del_repo("deb http://m.org/debian bookworm main")

    assert _left(file) == [
        (["http://d.org/debian"], ["bookworm", "bookworm-updates"], ["main"]),
        (["http://m.org/debian/"], ["bookworm-updates"], ["main"]),
    ]


def test_deleting_the_last_suite_of_a_stanza_removes_its_file(lists):
    file = lists / "d.sources"
    file.write_text(STANZA)

    aptpkg.del_repo("deb http://d.org/debian bookworm main")
    aptpkg.del_repo("deb http://d.org/debian bookworm-updates main")

    assert not file.exists()


def _left(file):
    """Return (URIs, suites, components) of each entry in a file."""
    entries = _sources.SourcesFile(str(file)).sources
    return [(each.uris, each.suites, each.comps) for each in entries]


def test_deleting_what_is_not_there_is_an_error(lists):
    with pytest.raises(CommandExecutionError, match="doesn't exist in the sources.list"):
        aptpkg.del_repo(LINE)


def test_a_name_that_is_not_a_line_names_no_repository(lists):
    (lists / "d.sources").write_text(STANZA)

    assert aptpkg.get_repo("rabbitmq_rabbitmq-server") == {}


def test_a_malformed_repository_is_refused(lists):
    with pytest.raises(InvocationError, match="is not valid"):
        aptpkg.mod_repo("http://e.org")


def test_a_ppa_is_refused_outside_of_ubuntu(lists):
    with pytest.raises(CommandExecutionError, match='cannot parse "ppa:" style'):
        aptpkg.mod_repo("ppa:a/b")
