"""Checks of low chunks."""

import pytest

from salt_g.lint.chunk_check import ChunkCheck, broken_template
from salt_g.lint.unknown import TEXT


@pytest.fixture
def rules(compile_context):
    """Return a function that returns [(rule, advice)] of a chunk of `state.fun` with these arguments."""

    def found(name, files=(), **arguments):
        state, _, fun = name.partition(".")
        low = {"state": state, "fun": fun, "name": "/x", "__id__": "a", "__env__": "base", **arguments}
        return [
            (found.rule, found.advice) for found in ChunkCheck(compile_context(dict(files))).findings(low)
        ]

    return found


def test_a_sound_chunk_has_none(rules):
    assert rules("file.managed", contents="x", require=[{"pkg": "y"}], unless="z") == []


def test_names(rules):
    assert rules("file.manged") == [("unknown-function", "nearest: file.managed")]
    assert rules(f"file.{TEXT}") == []


def test_arguments(rules):
    assert rules("host.present", ips="1.2.3.4") == [("unknown-argument", "nearest: ip")]
    assert rules("host.present") == [("missing-argument", "")]
    assert rules("file.managed", contnts="x") == [("misspelt-argument", "nearest: contents")]


def test_an_argument_that_one_of_several_plugins_takes(rules):
    assert rules("pkg.installed", pkgs=["a"], fromrepo="x") == []


def test_files(rules):
    files = {"web/a.txt": "x", "b c.txt": "x"}
    for url in ("salt://web/a.txt", "salt://web", "salt://web/a.txt?saltenv=base", "salt://b c.txt"):
        assert rules("file.managed", files, source=url) == []
    assert rules("file.managed", files, source="salt://web/b.txt") == [
        ("missing-file", "nearest: salt://web/a.txt")
    ]
    assert rules("file.managed", files, source=["salt://b.txt", "salt://web/a.txt"]) == []
    assert rules("file.managed", files, source=[{"salt://b.txt": "md5=x"}]) == [
        ("missing-file", "nearest: salt://b c.txt")
    ]
    assert rules("pkg.installed", files, sources=[{"a": "salt://web/a.deb"}])[0][0] == "missing-file"


@pytest.fixture
def broken(tmp_path):
    """Return a function that returns the problem with a template of this content."""

    def check(content):
        (tmp_path / "t").write_bytes(content)
        return broken_template(str(tmp_path / "t"))

    return check


def test_the_line_of_an_error(broken):
    found = broken(b"a\n{% if x %}\n{{ y \n")

    assert found.line == 3
    assert found.message.startswith("Jinja syntax error: ")


@pytest.mark.parametrize("content", [b"{{ nosuch }}{% import_yaml 'x' as y %}{{ y | yaml }}", b"\xff\xfe{{"])
def test_a_valid_template_or_a_binary_file_is_sound(broken, content):
    assert broken(content) is None


def test_a_file_that_does_not_exist_is_another_check():
    assert broken_template("/nosuch") is None
