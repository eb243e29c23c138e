"""Servers for tests, each running for the duration of a block on a port of its own."""

import contextlib
import glob
import os
import shutil
import socket
import subprocess
from typing import Any

import pytest

#: Time limit for a server to stop on a busy machine (s).
DEADLINE = 60.0


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def running(words, ready, **options):
    """Run a server for the duration of the block, which begins when the server is `ready`."""
    said = []
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options
    ) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                said.append(line)
                if ready in line:
                    break
            else:
                raise AssertionError("the server did not start:\n" + "".join(said))
            yield server
        finally:
            server.terminate()
            server.communicate(timeout=DEADLINE)


def postgres_program(name):
    """Return the path of a program of the newest PostgreSQL, None if not installed."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name)


def missing(what):
    """Skip a test for a missing program; fail where all programs must be installed."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@contextlib.contextmanager
def running_postgres(root):
    """Run a PostgreSQL server below a world-accessible directory; yield its port. The user is `salt`."""
    initdb, program = postgres_program("initdb"), postgres_program("postgres")
    if not initdb or not program:
        pytest.skip("postgresql is not installed")
    port = free_port()
    root.mkdir()
    as_other: dict[str, Any] = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        as_other = {"user": "nobody"}
        shutil.chown(root, "nobody")
    data = root / "data"
    made = [initdb, "-D", data, "-U", "salt", "-A", "trust", "-N"]
    subprocess.run(made, check=True, capture_output=True, cwd=root, **as_other)
    options = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={root}"]
    words = [program, "-D", data, "-p", str(port), *options]
    with running(words, "ready to accept connections", cwd=root, **as_other):
        yield port
