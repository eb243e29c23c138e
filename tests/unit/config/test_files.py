"""Config files on disk: which are read, in which order, and the location of each name."""

import os

import pytest

from salt_g.config import files


@pytest.fixture
def write(tmp_path):
    """Return a function that writes files below the test's directory and returns the path of `minion`."""

    def run(**texts):
        for name, text in texts.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(tmp_path / "minion")

    return run


def lines_of(reading):
    return {name: place.rpartition("/")[2] for name, place in reading.origins.items()}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# c\na: 1\nb:\n  a: 2\n  c: 3\n'd': x\n", {"a": 2, "b": 3, "d": 6}),
        ("\ufeffa: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("a: {b: 1}\nc: &x [1,\n  2]\nd: *x\n", {"a": 1, "c": 2, "d": 4}),
        ("a: |\n  b: 1\n  c: 2\nd: 3\n", {"a": 1, "d": 4}),
        ('{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n', {"a": 2, "c": 5}),
        ("{a: 1,\n b: 2}\n", {"a": 1, "b": 2}),
    ],
)
def test_each_name_has_its_line(write, text, lines):
    found = files.read_file(write(minion=text))

    assert found.problems == []
    assert lines_of(found) == {name: f"minion:{line}" for name, line in lines.items()}
    assert found.values.keys() == lines.keys()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a: 1\nb: [\n", "minion:3: not YAML: "),
        (b"a: 1\n\tb: 2\n", "minion:2: not YAML: the line is indented with a tab; use spaces"),
        (b"- a\n", "minion: a config file must be a mapping of settings (`name: value`), not a list"),
        (b"text", "not a str"),
        (b"a: \xff\n", "minion: not UTF-8 text: byte 0xff at offset 3"),
        (b"a: 1\na: 2\n", "minion:2: not YAML: .*conflicting ID 'a'"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_problem_and_no_values(write, content, problem):
    import re

    found = files.read_file(write(minion=content))

    assert found.values == {}
    (result,) = found.problems
    assert problem in result or re.search(problem, result)


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file_has_no_values_and_no_problems(write, text):
    found = files.read_file(write(minion=text))

    assert (found.values, found.problems, found.warnings) == ({}, [], [])


def test_drop_ins_join_among_themselves_and_then_replace_the_main_file(write):
    path = write(
        minion="l: [0]\nm: {x: 1}\nkept: 1\n",
        d__a_DOT_conf="l: [1]\nm: {y: 1}\n",
        d__b_DOT_conf="l: [2]\nm: {z: 1}\n",
        d___DOT_hidden_DOT_conf="l: [3]\n",
        d__c_DOT_conf_DOT_bak="l: [4]\n",
    )

    found = files.read_all(path, "d/*.conf")

    assert found.values == {"l": [1, 2], "m": {"y": 1, "z": 1}, "kept": 1}
    assert lines_of(found) == {"l": "b.conf:1", "m": "b.conf:2", "kept": "minion:3"}


def test_a_main_file_may_name_other_drop_ins_and_includes(write):
    path = write(
        minion="default_include: other/*.conf\ninclude: [x/*.yml, none.yml]\na: main\n",
        d__a_DOT_conf="a: default\n",
        other__a_DOT_conf="a: other\nb: other\n",
        x__1_DOT_yml="b: x\ninclude: 2.yaml\n",
        x__2_DOT_yaml="c: nested\n",
    )

    found = files.read_all(path, "d/*.conf")

    assert {name: found.values[name] for name in "abc"} == {"a": "other", "b": "x", "c": "nested"}
    assert found.warnings == [f"{path}: include 'none.yml' matches no file"]


def test_files_that_include_each_other_are_a_problem_and_end(write):
    path = write(minion="include: a.yml\n", a_DOT_yml="include: b.yml\n", b_DOT_yml="include: a.yml\nb: 1\n")

    found = files.read_all(path, "d/*.conf")

    (result,) = found.problems
    assert "b.yml: includes itself: " in result
    assert found.values["b"] == 1


def test_without_a_main_file_drop_ins_count(write):
    path = write(d__a_DOT_conf="a: 1\n")

    assert files.read_all(path, "d/*.conf").values == {"a": 1}
    assert files.read_all(os.path.dirname(path), "none/*.conf").values == {}


def test_a_given_directory_goes_before_that_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(files.DIRECTORY_VARIABLE, str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))

    assert files.find_directory("/x/../y") == "/y"
    assert files.find_directory("~/c") == f"{tmp_path}/c"
    assert files.find_directory(None) == str(tmp_path)
    assert files.directory_problem("~/c") == "config directory '~/c' does not exist; correct -c, or create it"
    assert files.directory_problem(None) == ""


def test_a_directory_with_the_file_of_another_program_only_is_named(tmp_path):
    empty = files.without_own_file(str(tmp_path), "master")
    (tmp_path / "minion").touch()
    only_minion = files.without_own_file(str(tmp_path), "master")
    own = files.without_own_file(str(tmp_path), "minion")
    (tmp_path / "master.d").mkdir()
    parts = files.without_own_file(str(tmp_path), "master")

    assert (empty, own, parts) == ("", "", "")
    assert only_minion == (
        f"{tmp_path} has no file 'master', only 'minion': this master runs with default settings"
    )
