"""One file or directory: where no user may tamper, the results are those of the plain calls of `os`."""

import os
import stat

import pytest

from salt_g import safe_files
from salt_g.safe_files.entries import _change_opened


class TestPlainCalls:
    """Paths that no user may tamper with: the same results as with the plain calls of `os`."""

    def test_errors_are_those_of_the_plain_call_with_the_path(self, tmp_path):
        path = str(tmp_path / "no" / "file")

        with pytest.raises(FileNotFoundError) as missing:
            safe_files.open_file(path, os.O_WRONLY | os.O_CREAT)

        assert missing.value.filename == path

    def test_directories_are_made_with_their_parents(self, tmp_path):
        safe_files.make_directories(str(tmp_path / "a" / "b"), 0o700)
        safe_files.make_directories(str(tmp_path / "a" / "b"))

        assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) != 0o700
        with pytest.raises(FileExistsError):
            safe_files.make_directory(str(tmp_path / "a"))

    def test_relative_paths_count_from_here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        os.close(safe_files.open_file("here", os.O_WRONLY | os.O_CREAT))

        assert (tmp_path / "here").exists()

    def test_moving_renames_or_goes_into_a_directory(self, tmp_path):
        (tmp_path / "a").write_text("a")
        (tmp_path / "dir").mkdir()
        safe_files.move(str(tmp_path / "a"), str(tmp_path / "b"))
        safe_files.move(str(tmp_path / "b"), str(tmp_path / "dir"))

        assert (tmp_path / "dir" / "b").read_text() == "a"

    def test_without_proc_a_replaced_entry_is_an_error_and_stays_unchanged(self, tmp_path):
        path = tmp_path / "file"
        path.touch()
        path.chmod(0o600)
        expected = tmp_path / "other"
        expected.touch()

        with safe_files.located(str(path)) as place, pytest.raises(OSError, match="replaced") as refused:
            _change_opened(place, expected.stat(), lambda target: os.chmod(target, 0o777))

        assert (refused.value.filename, stat.S_IMODE(path.stat().st_mode)) == (str(path), 0o600)

    def test_a_link_is_made_renamed_and_removed(self, tmp_path):
        safe_files.symlink("nowhere", str(tmp_path / "a"))
        safe_files.rename(str(tmp_path / "a"), str(tmp_path / "b"))
        assert os.readlink(tmp_path / "b") == "nowhere"
        safe_files.remove_file(str(tmp_path / "b"))
        assert not os.path.lexists(tmp_path / "b")
