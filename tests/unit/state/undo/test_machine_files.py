"""Files of this machine and of a resource, through one interface."""

import errno
import os

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.state.undo.machine_files import OwnFiles, ResourceFiles


def test_a_hard_link_becomes_a_file_of_its_own(tmp_path):
    (tmp_path / "f").write_text("x")
    os.link(tmp_path / "f", tmp_path / "g")

    OwnFiles().detach(str(tmp_path / "f"))

    assert ((tmp_path / "f").read_text(), (tmp_path / "f").stat().st_nlink) == ("x", 1)


def test_a_path_unknown_to_a_resource_is_missing():
    files = ResourceFiles(
        "lamp", {"lamp.undo_entries": lambda paths, **options: {"/a": {"kind": "directory"}}}
    )

    assert files.entries(["/a", "/link/b"]) == {"/a": {"kind": "directory"}, "/link/b": {"kind": "missing"}}


@pytest.mark.parametrize(("text", "number"), [("rmdir: Directory not empty", errno.ENOTEMPTY), ("away", 0)])
def test_an_error_of_a_resource_is_one_of_its_path(text, number):
    def fail(path):
        raise CommandExecutionError(text)

    with pytest.raises(OSError, match=text) as raised:
        ResourceFiles("lamp", {"lamp.undo_remove": fail}).remove("/a", {"kind": "directory"})

    assert raised.value.errno == number
