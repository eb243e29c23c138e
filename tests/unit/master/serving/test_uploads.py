"""Files pushed by minions: contents, location, refusals."""

import os
import pathlib
import stat

import pytest

from salt_g.files.atomic_write import TEMPORARY
from salt_g.files.minionfs import folder_of
from salt_g.master.serving.uploads import MAX_DEPTH, MAX_NAME, Uploads, forget_pushed
from salt_g.master.settings import UploadSettings
from salt_g.wire.requests import SealedRequest

LARGEST = 1 << 20


@pytest.fixture
def folder(tmp_path):
    """Return the directory of m1's files."""
    return pathlib.Path(folder_of(str(tmp_path), "m1"))


@pytest.fixture
def push(tmp_path):
    """Return a function that pushes a piece of a file of m1: `push(path, data, loc, size)`."""
    handler = Uploads(UploadSettings(True, LARGEST, 0, str(tmp_path)))

    def send(path, data=b"x", loc=0, size=None, handler=handler):
        load = {"path": path, "data": data, "loc": loc, "size": size}
        return handler.commands()["_file_recv"].run(SealedRequest("m1", load, "", None, "", "", 3), load)

    return send


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_has_its_name_when_its_last_piece_is_there(push, folder):
    assert push(["var", "log"], b"abc", 0, 6) is True
    assert "var/log" not in files_below(folder)
    assert push(["var", "log"], "def", 3, 6) is True

    assert files_below(folder) == {"var/log": b"abcdef"}
    assert stat.S_IMODE((folder / "var" / "log").stat().st_mode) == 0o600


def test_a_file_that_is_pushed_again_replaces_the_old_one_at_its_end(push, folder):
    push(["f"], b"old text", 0, 8)

    push(["f"], b"ne", 0, 3)
    assert files_below(folder)["f"] == b"old text"
    push(["f"], b"w", 2, 3)

    assert files_below(folder) == {"f": b"new"}


def test_a_file_that_grew_while_it_was_read_goes_on(push, folder):
    push(["f"], b"abc", 0, 3)

    assert push(["f"], b"def", 3, 3) is True
    assert files_below(folder) == {"f": b"abcdef"}


@pytest.mark.parametrize("loc", [1, 2, 100])
def test_a_piece_that_does_not_follow_the_last_one_is_refused(push, folder, loc, caplog):
    push(["f"], b"abc", 0, 200)

    assert push(["f"], b"x", loc, 200) is False
    assert push(["g"], b"x", loc, 200) is False
    assert "m1: cannot save a pushed file" in caplog.text
    assert list(files_below(folder).values()) == [b"abc"]


@pytest.mark.parametrize(
    "path",
    [
        [],
        [""],
        [".."],
        ["a", "..", "b"],
        ["."],
        ["/etc/passwd"],
        ["a/b"],
        ["a\\b"],
        ["a\0b"],
        [5],
        [None],
        ["x" * (MAX_NAME + 1)],
        ["ü" * MAX_NAME],
        [f"{TEMPORARY}part-f"],
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(push, tmp_path, path):
    assert push(path) is False
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("data", "loc", "size"),
    [(b"x", -1, None), (b"x", LARGEST, None), (b"x", 0, LARGEST + 1), (bytes(LARGEST + 1), 0, None)],
)
def test_a_file_beyond_the_limit_is_refused_at_its_first_piece(push, tmp_path, data, loc, size):
    assert push(["f"], data, loc, size) is False
    assert list(tmp_path.rglob("*")) == []


def test_the_largest_file_and_the_longest_name_are_taken(push, folder):
    name = "n" * MAX_NAME

    assert push([name], bytes(LARGEST), 0, LARGEST) is True
    assert push(["ü" * (MAX_NAME // 2)], b"x", 0, 1) is True
    assert push(["d"] * (MAX_DEPTH - 1) + ["f"], b"x", 0, 1) is True
    assert len(files_below(folder)[name]) == LARGEST


def test_links_in_the_folder_lead_nowhere(push, folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    folder.mkdir(parents=True)
    os.symlink(outside, folder / "dir")
    os.symlink(outside / "f", folder / f"{TEMPORARY}part-f")

    assert push(["dir", "f"], b"x", 0, 1) is False
    assert push(["f"], b"x", 0, 1) is False
    assert os.listdir(outside) == []


def test_the_total_size_of_a_minions_files_is_limited(push, tmp_path, caplog):
    handler = Uploads(UploadSettings(True, LARGEST, 100_000, str(tmp_path)))

    assert push(["a"], bytes(60_000), 0, 60_000, handler) is True
    assert push(["b"], bytes(60_000), 0, 60_000, handler) is False
    assert "file_recv_max_total" in caplog.text


def test_nothing_is_taken_unless_it_is_switched_on(push, tmp_path, caplog):
    handler = Uploads(UploadSettings(False, LARGEST, 0, str(tmp_path)))

    assert push(["f"], b"x", 0, 1, handler) is False
    assert "the setting 'file_recv' is off" in caplog.text
    assert list(tmp_path.rglob("*")) == []


def test_the_files_of_a_minion_are_forgotten_and_links_are_not_followed(push, folder, tmp_path, caplog):
    push(["a", "b"], b"x", 0, 1)
    forget_pushed(str(tmp_path), "m1")
    forget_pushed(str(tmp_path), "m1")
    assert not os.path.lexists(folder)

    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").write_text("")
    os.makedirs(os.path.dirname(folder_of(str(tmp_path), "m2")), exist_ok=True)
    os.symlink(tmp_path / "outside", folder_of(str(tmp_path), "m2"))
    forget_pushed(str(tmp_path), "m2")

    assert os.listdir(tmp_path / "outside") == ["kept"]
    assert "m2: cannot remove its pushed files" in caplog.text
