"""The environment of the frozen program, as its children see it."""

import os
import subprocess
import sys

import pytest

from salt_g.onefile import program
from salt_g.process.command import AS_PYTHON

LOADER = {"_PYI_APPLICATION_HOME_DIR": "/frozen", "_PYI_PARENT_PROCESS_LEVEL": "1"}


def seen_by_children(**variables):
    """Return the environment of a child that the program starts, itself started by PyInstaller's loader."""
    code = "import subprocess; print(subprocess.run(['env', '-0'], capture_output=True, text=True).stdout)"
    done = subprocess.run(
        [sys.executable, program.__file__, AS_PYTHON, "-c", code],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return dict(line.split("=", 1) for line in done.stdout.rstrip("\n").split("\0") if line)


def test_children_get_no_libraries_of_ours():
    seen = seen_by_children(LD_LIBRARY_PATH="/frozen/_internal", **LOADER)

    assert "LD_LIBRARY_PATH" not in seen
    assert [name for name in seen if name.startswith("_PYI_")] == []


@pytest.mark.parametrize("users", ["/opt/lib", ""])
def test_children_get_the_users_own_libraries(users):
    seen = seen_by_children(LD_LIBRARY_PATH=f"/frozen:{users}", LD_LIBRARY_PATH_ORIG=users, **LOADER)

    assert seen["LD_LIBRARY_PATH"] == users
    assert "LD_LIBRARY_PATH_ORIG" not in seen


def test_a_program_that_no_loader_started_changes_nothing():
    assert seen_by_children(LD_LIBRARY_PATH="/opt/lib")["LD_LIBRARY_PATH"] == "/opt/lib"
