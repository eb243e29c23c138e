"""Kept programs: each run is independent, and imports are done once."""

import os
import subprocess
import sys

import pytest

from tests.support.kept_programs import KeptProgram

PROGRAM = """
import os, sys
import lib
lib.runs += 1
if sys.argv[1:] == ["wait"]:
    import signal
    signal.pause()
if sys.argv[1:] == ["randomization"]:
    print(sys.flags.hash_randomization)
print(sys.argv[1:], os.environ.get("WORD"), os.getcwd(), lib.runs, lib.pid == os.getpid())
print("told", file=sys.stderr)
sys.exit(3)
"""


@pytest.fixture
def program(tmp_path):
    """Yield a program that counts in a module of its own and prints the importer."""
    (tmp_path / "python3").symlink_to(sys.executable)
    (tmp_path / "program").write_text(PROGRAM)
    (tmp_path / "lib.py").write_text("import os\nruns = 0\npid = os.getpid()\n")
    made = KeptProgram(tmp_path / "program")
    yield made
    made.close()


def run(program, tmp_path, *words, timeout=60, **env):
    return program.run(words, env={**os.environ, **env}, cwd=tmp_path, timeout=timeout)


def test_a_run_has_its_words_environment_directory_and_exit_code(program, tmp_path):
    done = run(program, tmp_path, "a", 1, WORD="x")

    assert (done.returncode, done.stderr) == (3, "told\n")
    assert done.stdout == f"['a', '1'] x {tmp_path} 1 True\n"


def test_the_next_run_has_the_imports_and_nothing_else_of_the_one_before(program, tmp_path):
    run(program, tmp_path, WORD="x")

    assert run(program, tmp_path).stdout == f"[] None {tmp_path} 1 False\n"


def test_a_run_that_takes_too_long_is_ended_and_the_next_one_works(program, tmp_path):
    with pytest.raises(subprocess.TimeoutExpired):
        run(program, tmp_path, "wait", timeout=0.5)

    assert run(program, tmp_path).returncode == 3


def test_sets_are_in_one_order_whatever_the_first_run_asks_for(program, tmp_path):
    assert run(program, tmp_path, "randomization", PYTHONHASHSEED="random").stdout.startswith("0\n")
