"""Atomic replacement of files: private by default, nothing left behind after an error."""

import os
import stat

import pytest

from salt_g.process import disk


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


@pytest.fixture
def open_umask():
    """Let new files be accessible to everyone, as far as their mode permits."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def narrow_umask():
    """Let new files be accessible to their owner only."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_a_written_file_is_private_and_alone_in_its_directory(tmp_path):
    path = tmp_path / "key"

    disk.write_whole(str(path), "ü")

    assert path.read_bytes() == b"\xc3\xbc"
    assert mode_of(path) == 0o600
    assert os.listdir(tmp_path) == ["key"]


@pytest.mark.parametrize("write", [disk.write_whole, disk.write_first, disk.rewrite])
def test_a_write_that_fails_leaves_no_file_and_no_change(tmp_path, write):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").touch()

    with pytest.raises(OSError):
        write(str(tmp_path / "there"), b"data")

    assert os.listdir(tmp_path) == ["there"]
    assert os.listdir(tmp_path / "there") == ["x"]


def test_the_first_writer_wins(tmp_path):
    path = str(tmp_path / "f")
    disk.write_first(path, b"one")

    with pytest.raises(FileExistsError):
        disk.write_first(path, b"two")

    assert (tmp_path / "f").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["f"]


def test_a_link_is_replaced_and_its_target_is_not_touched(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)

    disk.write_whole(str(link), "new")

    assert target.read_text() == "old"
    assert not link.is_symlink()
    assert link.read_text() == "new"


@pytest.mark.usefixtures("open_umask")
def test_a_users_file_keeps_its_mode(tmp_path):
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o640)

    disk.rewrite(str(path), b"new")

    assert path.read_text() == "new"
    assert mode_of(path) == 0o640


@pytest.mark.usefixtures("narrow_umask")
def test_a_new_file_of_a_user_gets_the_mode_that_is_asked_for_or_the_usual_one(tmp_path):
    for name, mode, expected in (("asked", 0o644, 0o644), ("usual", None, 0o600)):
        with disk.replacing(str(tmp_path / name), new_mode=mode) as file:
            file.write(b"x")
        assert mode_of(tmp_path / name) == expected


def test_an_error_while_writing_keeps_the_old_file(tmp_path):
    path = tmp_path / "f"
    path.write_text("old")

    with pytest.raises(RuntimeError), disk.replacing(str(path)) as file:
        file.write(b"half")
        raise RuntimeError

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["f"]


@pytest.mark.usefixtures("open_umask")
def test_a_file_is_private_whether_it_is_new_or_was_there(tmp_path):
    path = tmp_path / "f"

    for content in (b"a longer text", b"short"):
        disk.write_new_or_replace(str(path), content)

        assert path.read_bytes() == content
        assert mode_of(path) == 0o600


@pytest.mark.usefixtures("open_umask")
def test_all_directories_of_a_private_path_are_private(tmp_path):
    disk.make_private_directory(str(tmp_path / "a/b/"))

    assert (mode_of(tmp_path / "a"), mode_of(tmp_path / "a/b")) == (0o700, 0o700)


@pytest.mark.usefixtures("narrow_umask")
def test_parents_of_a_private_leaf_let_others_pass_whatever_the_umask(tmp_path):
    disk.make_private_leaf(str(tmp_path / "a/b"))
    disk.make_passed_directory(str(tmp_path / "c/d"))

    assert (mode_of(tmp_path / "a"), mode_of(tmp_path / "a/b")) == (0o755, 0o700)
    assert (mode_of(tmp_path / "c"), mode_of(tmp_path / "c/d")) == (0o755, 0o755)


def test_a_directory_that_is_there_keeps_its_mode_and_a_file_in_the_way_is_an_error(tmp_path):
    (tmp_path / "d").mkdir(mode=0o750)
    (tmp_path / "f").touch()

    disk.make_private_directory(str(tmp_path / "d"))

    assert mode_of(tmp_path / "d") == 0o750
    with pytest.raises(FileExistsError):
        disk.make_private_directory(str(tmp_path / "f"))


@pytest.mark.parametrize(
    ("mode", "text"),
    [(644, "0644"), ("644", "0644"), ("0o644", "0644"), ("'0644'", "0644"), (4755, "4755"), (0, "0000"),
     (None, None)],
)  # fmt: skip
def test_modes_are_spelled_with_four_digits(mode, text):
    assert disk.mode_text(mode) == text


@pytest.mark.usefixtures("narrow_umask")
def test_reading_the_umask_does_not_change_it():
    assert (disk.current_umask(), disk.current_umask()) == (0o077, 0o077)


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, 5 << 19])
def test_a_copy_has_the_content_of_an_open_file(tmp_path, size):
    content = os.urandom(size)
    (tmp_path / "source").write_bytes(content)
    with open(tmp_path / "source", "rb") as source, open(tmp_path / "target", "wb") as target:
        disk.copy_content(source, target)
    assert (tmp_path / "target").read_bytes() == content
