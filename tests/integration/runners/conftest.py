"""`salt-g run` and `salt-g match` against real daemons."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

PROGRAM = str(pathlib.Path(sys.executable).with_name("salt-g"))


class Ran:
    """Outcome of one run of the command."""

    def __init__(self, finished):
        self.code = finished.returncode
        self.out = finished.stdout
        self.err = finished.stderr

    @property
    def value(self):
        """The result, for runs with `--out=json`."""
        return json.loads(self.out)


@pytest.fixture
def command():
    """Return a function that runs `salt-g`: `command(master, "run", "test.arg", ...)`."""

    def run(master, name, *words, timeout=120):
        finished = subprocess.run(
            [PROGRAM, name, "-c", str(master.config_dir), *map(str, words)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        return Ran(finished)

    return run


@pytest.fixture
def begin():
    """Yield a function that starts `salt-g run -c ...`: `begin(master, "run", ...)` returns the process."""
    processes = []

    def start(master, name, *words):
        processes.append(
            subprocess.Popen(
                [PROGRAM, name, "-c", str(master.config_dir), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def write():
    """Write {path: text} below a directory."""

    def put(directory, files):
        for name, text in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return put
