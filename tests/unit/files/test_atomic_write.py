"""Atomic writes: a file has its name only once it is complete."""

import os
import stat

import pytest

from salt_g.files.atomic_write import TEMPORARY, clear_way, mode_for, placed


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_nothing_is_at_the_name_until_all_is_written(tmp_path):
    dest = tmp_path / "f"
    dest.write_text("old")

    with placed(str(dest)) as file:
        file.write(b"new")
        assert dest.read_text() == "old"
        assert [name.startswith(TEMPORARY) for name in sorted(os.listdir(tmp_path))] == [True, False]

    assert dest.read_text() == "new"
    assert os.listdir(tmp_path) == ["f"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_incomplete_file_is_removed(tmp_path, error):
    with pytest.raises(error), placed(str(tmp_path / "f")) as file:
        file.write(b"half")
        raise error

    assert os.listdir(tmp_path) == []


def test_a_file_is_private_unless_another_mode_is_given(tmp_path):
    umask = os.umask(0o027)
    try:
        for name, options in (("own", {}), ("asked", {"mode": 0o666})):
            with placed(str(tmp_path / name), **options):
                pass
    finally:
        os.umask(umask)

    assert (mode_of(tmp_path / "own"), mode_of(tmp_path / "asked")) == (0o600, 0o640)


def test_a_link_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")

    with placed(str(tmp_path / "link")) as file:
        file.write(b"new")

    assert (tmp_path / "target").read_text() == "old"
    assert not (tmp_path / "link").is_symlink()


def test_a_missing_directory_is_an_error_that_names_the_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"), placed(str(tmp_path / "none" / "f")):
        pass


def test_a_directory_of_a_path_that_is_a_file_now_goes(tmp_path):
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/old").touch()

    clear_way(str(tmp_path / "a/b"))

    assert os.listdir(tmp_path / "a") == []


def test_a_file_of_a_path_that_is_a_directory_now_goes(tmp_path):
    (tmp_path / "a").touch()

    clear_way(str(tmp_path / "a/b"))

    assert mode_of(tmp_path / "a") == 0o700
    assert os.listdir(tmp_path / "a") == []


def test_a_link_to_a_directory_does_not_cost_its_content(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/f").touch()
    (tmp_path / "link").symlink_to("other")

    clear_way(str(tmp_path / "link"))

    assert os.listdir(tmp_path / "other") == ["f"]


def test_a_file_that_is_there_keeps_its_mode(tmp_path):
    (tmp_path / "f").touch(mode=0o600)

    assert mode_for(str(tmp_path / "f")) == 0o600
    assert mode_for(str(tmp_path / "none")) == 0o666
