"""Error output of a failed command."""

import errno

import pytest

from salt_g.cli import error_report
from salt_g.errors import SaltGError


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, "make room on that file system"),
        (errno.EROFS, "mount that file system writable, or correct the setting"),
        (errno.ENOTDIR, "a part of this path is not a directory: move it away"),
    ],
)
def test_an_error_of_the_system_says_what_to_do(number, expected, capsys):
    code = error_report.fail("salt-g master", OSError(number, "text", "/r/etc"))

    assert code == 1
    assert f"'/r/etc'; {expected}" in capsys.readouterr().err


def test_other_errors_are_printed_as_they_are(capsys):
    error_report.fail("salt-g", SaltGError("no way"))
    error_report.fail("salt-g", OSError(errno.EIO, "text", "/r"))

    assert capsys.readouterr().err == f"salt-g: no way\nsalt-g: [Errno {errno.EIO}] text: '/r'\n"
