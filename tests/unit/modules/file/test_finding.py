import os
import time

import pytest

from salt_g.modules import file


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "a.txt").write_text("needle\n")
    (tmp_path / "d" / "b.TXT").write_text("hay\n" * 1000)
    (tmp_path / "d" / "e" / "c.log").write_text("x")
    (tmp_path / "link").symlink_to("nowhere")
    return tmp_path


def names(found):
    return [os.path.basename(path) for path in found]


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        ({"name": "*.txt"}, ["a.txt"]),
        ({"iname": "*.txt"}, ["a.txt", "b.TXT"]),
        ({"regex": r"[ab]\..*"}, ["a.txt", "b.TXT"]),
        ({"type": "f", "size": "+1k"}, ["b.TXT"]),
        ({"type": "f", "size": "-10b"}, ["a.txt", "c.log"]),
        ({"type": "l"}, ["link"]),
        ({"type": "f", "maxdepth": 1}, ["a.txt"]),
        ({"type": "f", "mindepth": 3}, ["c.log"]),
        ({"grep": "need"}, ["a.txt"]),
        ({"type": "f", "mtime": "-1h"}, ["c.log"]),
        ({"type": "f", "mtime": "1d"}, ["a.txt", "b.TXT"]),
        ({"type": "f", "owner": str(os.getuid()), "group": str(os.getgid())}, ["a.txt", "b.TXT", "c.log"]),
    ],
)
def test_files_are_found_by_what_they_are(tree, criteria, expected):
    for name in ("a.txt", "d/b.TXT"):
        os.utime(tree / name, (time.time() - 3 * 86400,) * 2)

    assert sorted(names(file.find(str(tree), **criteria))) == expected


def test_print_chooses_what_is_reported(tree):
    assert file.find(str(tree), name="a.txt", print="name,size,type,mode") == [["a.txt", 7, "f", 0o644]]
    assert file.find(str(tree), name="a.txt", print="md5") == [file.get_hash(str(tree / "a.txt"), "md5")]


def test_delete_removes_and_names_what_it_removed(tree):
    tested = file.find(str(tree), "delete", name="*.log", test=True)
    assert (tree / "d" / "e" / "c.log").exists()

    done = file.find(str(tree), "delete", name="*.log")

    assert tested == done == [str(tree / "d" / "e" / "c.log")]
    assert not (tree / "d" / "e" / "c.log").exists()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"colour": "red"}, 'error: invalid option "colour"'),
        ({"name": ""}, 'error: missing value for "name" option'),
        ({"type": "x"}, 'error: invalid file type "x"'),
        ({"size": "many"}, 'error: invalid size: "many"'),
        ({"mtime": "soon"}, "error: invalid time interval: 'soon'"),
        ({"owner": "no such user"}, 'error: no such user "no"'),
        ({"regex": "("}, 'error: invalid regular expression: "("'),
    ],
)
def test_an_option_that_cannot_be_understood_is_named(tree, options, error):
    assert file.find(str(tree), **options) == error
