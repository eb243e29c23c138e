"""Names of plugins, read from their source texts."""

import os

import pytest

from salt_g.loader.index import read_cache, read_directory, write_cache


@pytest.fixture
def entry(tmp_path):
    """Return a function that returns the entry of a plugin with this text."""

    def read(text, name="p.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        (found,) = read_directory(str(tmp_path), {})
        return found

    return read


@pytest.mark.parametrize(
    ("text", "names", "is_open"),
    [
        ("", ("p",), False),
        ("__virtualname__ = 'pkg'\ndef __virtual__():\n    return True\n", ("pkg",), False),
        ('__virtualname__: str = "pkg"\n', ("pkg",), False),
        ("def __virtual__():\n    if x:\n        return 'pkg'\n    return False\n", ("p", "pkg"), True),
        ("def __virtual__():\n    return name\n", ("p",), True),
        ("def __virtual__(:\n    return 'pkg'\n", ("p",), True),
    ],
)
def test_names_are_those_that_the_text_may_claim(entry, text, names, is_open):
    found = entry(text)

    assert (found.names, found.is_open) == (names, is_open)


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("def b(): ...\nasync def a(): ...\ndef _c(): ...\n    def d(): ...\n", ("a", "b")),
        ("__all__ = ['x', '_y']\ndef a(): ...\n", ("x",)),
        ("__func_alias__ = {'list_': 'list'}\ndef list_(): ...\n", ("list",)),
        ("__func_alias__ = {broken}\ndef list_(): ...\n", ("list_",)),
    ],
)
def test_functions_have_their_public_names(entry, text, functions):
    assert entry(text).functions == functions


def test_a_folder_with_an_init_file_is_a_plugin_and_private_names_are_none(tmp_path, entry):
    for name in ("_private.py", ".hidden.py", "note.txt"):
        (tmp_path / name).write_text("def f(): ...\n")
    (tmp_path / "empty").mkdir()

    found = entry("def f(): ...\n", name="folder/__init__.py")

    assert (found.stem, found.path) == ("folder", str(tmp_path / "folder" / "__init__.py"))
    assert read_directory(str(tmp_path / "nosuch"), {}) == []


def test_a_cached_entry_counts_while_time_and_size_are_the_same(tmp_path):
    path, cached = tmp_path / "p.py", {}
    path.write_text("def a(): ...\n")
    os.utime(path, ns=(1, 1))
    read_directory(str(tmp_path), cached)

    path.write_text("def b(): ...\n")
    os.utime(path, ns=(1, 1))
    assert read_directory(str(tmp_path), cached)[0].functions == ("a",)

    os.utime(path, ns=(2, 2))
    assert read_directory(str(tmp_path), cached)[0].functions == ("b",)


def test_the_cache_is_read_back_and_a_foreign_one_ignored(tmp_path):
    path = tmp_path / "cache" / "index.json"
    assert read_cache(str(path)) == {}

    write_cache(str(path), {"/d": {"p": [1, 2, ["p"], False, []]}})
    assert read_cache(str(path)) == {"/d": {"p": [1, 2, ["p"], False, []]}}

    for text in ("{", "[]", '{"version": 0, "directories": {}}', '{"version": 1, "directories": []}'):
        path.write_text(text)
        assert read_cache(str(path)) == {}


def test_a_cache_that_cannot_be_written_is_not_an_error(tmp_path):
    (tmp_path / "file").write_text("")

    write_cache(str(tmp_path / "file" / "index.json"), {})
