"""`ini` states with the real module."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import ini_manage
from salt_g.states import ini_manage as state

TEXT = """\
[main]
a = 0
gone = 1
# b = old
# comment
long = one
    two

[old]
z = 1
"""


@pytest.fixture
def enter(tmp_path, call_context):
    path = tmp_path / "f.ini"
    path.write_text(TEXT)
    names = ("set_option", "get_option", "remove_option", "get_section", "remove_section", "get_ini")

    def enter(test=False):
        call_context(
            functions={f"ini.{name}": getattr(ini_manage, name) for name in names}, opts={"test": test}
        )
        return str(path)

    enter()
    return enter


def _read(path):
    with open(path) as file:
        return file.read()


def test_options_are_set_where_they_belong(enter):
    path = enter()
    wanted = {"main": {"a": 1, "b": "new"}, "fresh": {"x": "y"}, "top": "level"}

    first = state.options_present(path, wanted)
    second = state.options_present(path, wanted)

    assert first["changes"] == {
        "top": {"before": None, "after": "level"},
        "main": {"a": {"before": "0", "after": "1"}, "b": {"before": None, "after": "new"}},
        "fresh": {"before": None, "after": {"x": "y"}},
    }
    assert (second["changes"], second["comment"]) == ({}, "No anomaly detected")
    assert _read(path) == (
        "top = level\n\n[main]\na = 1\ngone = 1\nb = new\n# comment\nlong = one\n    two\n\n[old]\nz = 1\n"
        "\n[fresh]\nx = y\n"
    )


def test_a_plan_names_every_option(enter):
    path = enter(test=True)

    made = state.options_present(path, {"main": {"a": 0, "b": 1}, "top": "x"})

    assert made["result"] is None
    assert (
        made["comment"]
        == "Changed key top.\nUnchanged key a in section main.\nChanged key b in section main.\n"
    )
    assert _read(path) == TEXT


def test_strict_takes_all_else_away(enter):
    path = enter()

    made = state.options_present(path, {"main": {"a": 0}}, strict=True)

    assert made["changes"]["old"] == {"before": {"z": "1"}, "after": None}
    assert made["changes"]["main"]["gone"] == {"before": "1", "after": None}
    assert ini_manage.get_ini(path) == {"main": {"a": "0"}}


def test_options_and_sections_go(enter):
    path = enter()

    options = state.options_absent(path, {"main": ["gone"], "nosec": ["q"]})
    sections = state.sections_absent(path, ["old", "nosuch"])

    assert options["changes"] == {"main": {"gone": "1"}}
    assert sections["changes"] == {"old": {"z": "1"}}
    assert state.sections_absent(path, ["old"])["comment"] == "No anomaly detected"


def test_options_without_a_value_go(enter, tmp_path):
    path = enter(test=True)
    (tmp_path / "f.ini").write_text("top =\n\n[main]\nempty =\na = 0\n")
    wanted = {"main": ["empty"], "top": None}

    planned = state.options_absent(path, wanted)
    enter()
    made = state.options_absent(path, wanted)

    assert (planned["result"], planned["comment"]) == (
        None,
        "Deleted key empty in section main.\nDeleted key top.\n",
    )
    assert (made["comment"], made["changes"]) == ("Changes take effect", {"main": {"empty": ""}, "top": ""})
    assert _read(path) == "[main]\na = 0\n"
    assert state.options_absent(path, wanted)["changes"] == {}


def test_options_to_remove_may_be_the_keys_of_a_mapping(enter):
    path = enter()

    made = state.options_absent(path, {"main": {"gone": "any value"}})

    assert made["changes"] == {"main": {"gone": "1"}}
    assert "gone" not in _read(path)


@pytest.mark.parametrize("test", [True, False])
def test_a_section_is_not_an_option_of_its_name(enter, test):
    path = enter(test=test)

    made = state.options_absent(path, {"main": "gone"})

    assert (made["result"], made["changes"]) == (True, {})
    assert _read(path) == TEXT


def test_a_plan_to_remove_says_what_is_not_there(enter):
    path = enter(test=True)

    options = state.options_absent(path, {"main": ["gone"], "nosec": ["q"]})
    sections = state.sections_absent(path, ["old", "nosuch"])

    assert options["comment"] == "Deleted key gone in section main.\nKey q in section nosec does not exist.\n"
    assert sections["comment"] == "Deleted section old.\nSection nosuch does not exist.\n"


def test_empty_sections_are_made_once(enter):
    path = enter()

    assert state.sections_present(path, ["new"])["changes"] == {"new": {"before": None, "after": {}}}
    assert state.sections_present(path, ["new"])["changes"] == {}


def test_other_separators_and_no_spaces(enter, tmp_path):
    path = str(tmp_path / "new")

    ini_manage.set_option(path, {"s": {"k": "v"}}, separator=":", no_spaces=True)

    assert _read(path) == "[s]\nk:v\n"
    assert ini_manage.get_option(path, "s", "k", separator=":") == "v"


def test_lines_that_go_on_are_one_value(enter):
    assert ini_manage.get_section(enter(), "main")["long"] == "one\n    two"


def test_a_file_that_cannot_be_written_is_named(enter):
    with pytest.raises(CommandExecutionError, match="Unable to write file '/nonexistent/x'"):
        ini_manage.set_option("/nonexistent/x", {"a": "b"})
