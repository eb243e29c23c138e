"""The time limit of a test: a hang fails only that test, which is named, and later tests run."""

import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).parents[1]
PROGRAM = """
import subprocess
import threading

import gevent


def test_hub():
    gevent.sleep(3600)


def test_greenlet():
    gevent.spawn(gevent.sleep, 3600).join()


def test_lock():
    threading.Event().wait(3600)


def test_process():
    subprocess.run(["sleep", "3600"])


def test_works():
    gevent.sleep(0)
"""
HANGS = ("hub", "greenlet", "lock", "process")


def test_each_hang_fails_its_test_and_names_it(tmp_path):
    (tmp_path / "test_it.py").write_text(PROGRAM)
    options = ["--rootdir", str(tmp_path), "-p", "conftest", "--timeout", "0.5"]

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, *options, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=200,
    )

    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "4 failed, 1 passed" in ran.stdout
    assert all(f"Timeout (>0.5s): test_it.py::test_{name}" in ran.stdout for name in HANGS)
