"""The scripts of undo, run by this machine's shell, and the parsing of their output."""

import os
import pathlib

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _undo
from salt_g.state.undo.entries import entry_of
from tests.support.shell_scripts import sh


def read(*paths, limit=1 << 20, tree=False, follow=False):
    done = sh(_undo._READ, _undo._ONE, str(limit), str(int(tree)), str(int(follow)), *map(str, paths))
    assert done.returncode == 0, done.stderr
    return dict(_undo._parsed(done.stdout))


@pytest.fixture
def tree(tmp_path):
    top = pathlib.Path(os.path.realpath(tmp_path))
    (top / "d").mkdir()
    (top / "d" / "a\nname").write_bytes(b"one\0two\n")
    (top / "d" / "empty").touch()
    (top / "link").symlink_to("d/a\nname")
    return top


def test_entries_are_those_that_this_machine_would_record(tree):
    paths = [tree / "d", tree / "d" / "a\nname", tree / "d" / "empty", tree / "link", tree / "none"]

    found = read(*paths)

    for path in paths:
        entry, wanted = dict(found[str(path)]), entry_of(str(path))
        entry.pop("content", None)
        if "mtime" in wanted:
            wanted["mtime"] -= wanted["mtime"] % 10**9
        assert entry == wanted
    assert found[str(tree / "d" / "a\nname")]["content"] == b"one\0two\n"


def test_a_tree_is_all_below_and_a_link_is_followed_on_request(tree):
    assert list(read(tree / "d", tree=True)) == [str(tree / "d"), *sorted(map(str, (tree / "d").iterdir()))]
    assert list(read(tree / "link", follow=True)) == [str(tree / "d" / "a\nname")]


def test_missing_parent_directories_are_reported_and_paths_have_no_links(tree):
    (tree / "way").symlink_to("d")

    found = read(tree / "way" / "x" / "y")

    assert found == {str(tree / "d" / "x"): {"kind": "missing"}, str(tree / "d" / "x/y"): {"kind": "missing"}}


def test_contents_beyond_the_limit_have_a_digest_only(tree):
    path = str(tree / "d" / "a\nname")

    entry = read(path, limit=7)[path]

    assert (entry["sha256"], "content" in entry) == (entry_of(path)["sha256"], False)


def test_the_limit_holds_for_all_contents_together(tree):
    paths = [str(tree / "d" / name) for name in ("x", "y", "z")]
    for path in paths:
        pathlib.Path(path).write_bytes(b"12345")

    found = read(*paths, limit=11)

    assert [found[path].get("content") for path in paths] == [b"12345", b"12345", None]


def test_a_file_that_shrinks_while_it_is_read_is_an_error(tree):
    out = b"/f\x0081a4 0 0 3 0 1 1 1\0\0\0" + b"3\0ab\0"

    with pytest.raises(CommandExecutionError, match="changed while it was read"):
        list(_undo._parsed(out))


def test_nothing_is_done_below_a_directory_that_has_become_a_link(tree):
    (tree / "moved").symlink_to("d")

    done = sh(_undo._REMOVE, str(tree / "moved" / "empty"))

    assert done.returncode == 1
    assert b"is a link now" in done.stderr
    assert (tree / "d" / "empty").exists()


def test_a_file_is_written_whole_with_owner_mode_and_time(tree):
    path = tree / "d" / "empty"

    cut = sh(_undo._WRITE, str(path), "9", stdin=b"abc")
    assert (cut.returncode, path.read_bytes()) == (1, b"")
    sh(_undo._WRITE, str(path), "3", stdin=b"abc")
    sh(_undo._GIVE, str(path), "", "0640", "5")

    assert (path.read_bytes(), path.stat().st_mode & 0o777, path.stat().st_mtime) == (b"abc", 0o640, 5)
    assert not [one for one in os.listdir(tree / "d") if one.startswith(".salt-g")]
