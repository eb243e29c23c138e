"""Names of `salt.utils.files`, for users' plugins."""

import os
import threading

import pytest

from salt_g.compat.utils.host import files
from salt_g.errors import CommandExecutionError
from salt_g.stock_errors import FileLockError


def test_standard_streams_are_not_opened_by_mistake():
    with pytest.raises(TypeError):
        files.fopen(False)


def test_links_that_lead_back_are_followed_once(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "up").symlink_to("../..")

    found = [root for root, _, _ in files.safe_walk(str(tmp_path / "a"))]

    assert [os.path.relpath(root, tmp_path) for root in found] == ["a", "a/b", "a/b/up"]


def test_a_directory_is_no_lock(tmp_path):
    (tmp_path / "lock").mkdir()

    with (
        pytest.raises(FileLockError, match="directory"),
        files.wait_lock(str(tmp_path / "x"), str(tmp_path / "lock")),
    ):
        pass


@pytest.mark.parametrize(
    ("content", "is_text"),
    [
        (b"a\xc3", True),
        (b"a" * 9 + b"\xff", True),
        (b"\xff\xfe\xfd", False),
        (b"a\0", False),
        (b"", True),
    ],
)
def test_text_is_recognized_by_its_bytes(tmp_path, content, is_text):
    (tmp_path / "file").write_bytes(content)

    assert files.is_text(str(tmp_path / "file")) is is_text
    assert files.is_binary(str(tmp_path / "file")) is not is_text


def test_errors_of_reading_are_explained():
    with pytest.raises(CommandExecutionError, match="/x does not exist"):
        files.process_read_exception(OSError(2, "gone"), "/x")
    files.process_read_exception(OSError(2, "gone"), "/x", ignore=2)


def test_one_umask_is_set_at_a_time():
    before, seen, inside = files.get_umask(), [], threading.Event()

    def other():
        inside.wait()
        with files.set_umask(0o077):
            seen.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    with files.set_umask(0o027):
        inside.set()
        thread.join(0.05)
        seen.append("first")
    thread.join()

    assert seen == ["first", "other"]
    assert files.get_umask() == before
