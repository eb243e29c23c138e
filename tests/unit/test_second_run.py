"""The second run of tests that failed beside others."""

import pathlib
import subprocess
import sys

import pytest

PROGRAM = pathlib.Path(__file__).parents[1] / "second_run.py"
MOST = 10
#: Fails in its first run only.
ONCE = """
import pathlib
def test_once():
    mark = pathlib.Path(__file__).with_name("mark")
    is_first = not mark.exists()
    mark.touch()
    assert not is_first
"""


#: Fails if the directory where the run begins is on Python's path: the checkout would hide the built package.
APART = """
import importlib.util
def test_apart():
    assert importlib.util.find_spec("of_the_checkout") is None
"""


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        ("def test_good(): pass", 0, "1 passed"),
        (ONCE, 0, "failed beside others, passed alone: tests/test_x.py::test_once"),
        ("def test_bad(): assert 0", 1, "failed beside others: tests/test_x.py::test_bad"),
        ("\n".join(f"def test_{n}(): assert 0" for n in range(MOST + 1)), 1, f"{MOST + 1} failed"),
        ("this is no Python", 2, "1 error"),
        (APART, 0, "1 passed"),
    ],
    ids=["good", "fails once", "fails twice", "many fail", "broken", "apart"],
)
def test_a_failed_test_runs_once_more_and_is_named(tmp_path, text, code, last):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(text)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "of_the_checkout.py").touch()

    finished = subprocess.run(
        [sys.executable, PROGRAM, "-n", "0", "tests"], cwd=tmp_path, capture_output=True, text=True
    )

    assert finished.returncode == code, finished.stdout
    assert last in finished.stdout.splitlines()[-1]
