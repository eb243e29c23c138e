"""The environment of the frozen program as seen by its child processes."""

import os
import subprocess
import sys

import pytest

from salt_g.onefile import program
from salt_g.process.command import AS_PYTHON
from tests.support.waiting import until

#: Starts programs in the ways that salt-g has: a command (also of a service's script or a hook), with the
#: environment of a login, what outlives its caller, an engine, `find -exec`, git, our own Python (devices).
STARTERS = """
import os
from salt_g.engines import script
from salt_g.git.access import environment
from salt_g.git.source import RemoteSource
from salt_g.modules.file.find import _executing
from salt_g.process import command

us = command.identity()
command.run(["seen", "command"], who=us)
login = {**os.environ, **command.login_environment(us, "/bin/sh"), "PATH": os.environ["PATH"]}
command.run(["seen", "login"], env=login)
command.start(["seen", "outliving"])
list(script._lines(["seen", "engine"]))
_executing("seen find")("/", None)
command.run(["seen", "git"], env=environment(RemoteSource("file:///srv"), "/"))
command.run(command.own_python("import subprocess; subprocess.run(['seen', 'python'])"))
"""
LOADER = {"_PYI_APPLICATION_HOME_DIR": "/frozen", "_PYI_PARENT_PROCESS_LEVEL": "1"}


def seen_by_children(**variables):
    """Return the environment of a child of the program, which is itself started by PyInstaller's loader."""
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


def test_each_way_to_start_a_program_gives_it_the_users_libraries(tmp_path):
    seen = tmp_path / "seen"
    seen.write_text(f'#!/bin/sh\nenv > "{tmp_path}/.$1"\nmv "{tmp_path}/.$1" "{tmp_path}/$1"\n')
    seen.chmod(0o755)
    users = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "LD_LIBRARY_PATH_ORIG": "/opt/lib"}

    subprocess.run(
        [sys.executable, program.__file__, AS_PYTHON, "-c", STARTERS],
        env={**users, "LD_LIBRARY_PATH": "/frozen:/opt/lib", **LOADER},
        check=True, timeout=60,
    )  # fmt: skip

    ways = ["command", "login", "outliving", "engine", "find", "git", "python"]
    until(lambda: all((tmp_path / way).exists() for way in ways), "all programs to end")
    for way in ways:
        lines = (tmp_path / way).read_text().splitlines()
        assert "LD_LIBRARY_PATH=/opt/lib" in lines, way
        assert not [line for line in lines if line.startswith(("_PYI_", "LD_LIBRARY_PATH_"))], way
