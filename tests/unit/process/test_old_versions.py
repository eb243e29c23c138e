"""Old versions of replaced files."""

import datetime
import os
import pathlib
import stat

from salt_g.process.old_versions import STAMP, keep_old_version


def test_a_copy_with_the_mode_of_the_file_lies_below_the_root(tmp_path):
    path, root = tmp_path / "etc" / "hosts", tmp_path / "copies"
    path.parent.mkdir()
    path.write_text("old")
    path.chmod(0o640)

    copy = keep_old_version(str(path), str(root))

    path.write_text("new")
    assert os.path.dirname(copy) == f"{root}{path.parent}"
    name, _, stamp = os.path.basename(copy).partition("_")
    age = datetime.datetime.now() - datetime.datetime.strptime(stamp, STAMP)
    assert (name, pathlib.Path(copy).read_text()) == ("hosts", "old")
    assert datetime.timedelta(0) <= age < datetime.timedelta(hours=1)
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o640
    assert stat.S_IMODE(os.stat(os.path.dirname(copy)).st_mode) == 0o700
