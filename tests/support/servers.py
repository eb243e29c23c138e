"""Servers for tests, each running for the duration of a block on a port of its own."""

from __future__ import annotations

import contextlib
import glob
import os
import pathlib
import shutil
import signal
import socketserver
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

import pytest

from tests.support.free_ports import free_port

#: Time limit for a server to stop on a busy machine (s).
DEADLINE = 60.0
#: Interval at which a server in a thread looks for its end (s).
POLL_INTERVAL = 0.01

AnyServer = TypeVar("AnyServer", bound=socketserver.BaseServer)


@contextlib.contextmanager
def serving(server: AnyServer) -> Iterator[AnyServer]:
    """Serve requests in a thread for the duration of the block, then close the server."""
    thread = threading.Thread(target=server.serve_forever, args=[POLL_INTERVAL])
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def running(
    words: Sequence[str | os.PathLike[str]], ready: str, *, end: int = signal.SIGTERM, **options: Any
) -> Iterator[subprocess.Popen[str]]:
    """Run a server for the duration of the block, which begins when the server is `ready`."""
    output: list[str] = []
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options
    ) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                output.append(line)
                if ready in line:
                    break
            else:
                raise AssertionError("the server did not start:\n" + "".join(output))
            yield server
        finally:
            server.send_signal(end)
            server.communicate(timeout=DEADLINE)


@contextlib.contextmanager
def running_mariadb(root: pathlib.Path) -> Iterator[int]:
    """Run a MariaDB server below a world-accessible directory; yield its port. Its socket is `root/sock`.

    The user `root` is the client that connects by the socket as the system's user of this name.
    """
    install, program, port = shutil.which("mariadb-install-db"), shutil.which("mariadbd"), free_port()
    if not install or not program:
        missing("mariadb-server")
    shutil.chown(root, "mysql")
    made = ["--no-defaults", f"--datadir={root}/data", "--user=mysql", "--skip-test-db"]
    prepared = subprocess.run(
        [install, *made], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert prepared.returncode == 0, prepared.stdout
    words = [f"--datadir={root}/data", f"--socket={root}/sock", "--user=mysql", f"--port={port}"]
    words += ["--bind-address=127.0.0.1", "--innodb-flush-log-at-trx-commit=0", f"--pid-file={root}/pid"]
    with running([program, "--no-defaults", *words], "ready for connections"):
        yield port


@contextlib.contextmanager
def running_redis(root: pathlib.Path, port: int = 0, *, words: Iterable[str] = ()) -> Iterator[int]:
    """Run a Redis server that keeps nothing on the disk; yield its port. `words` are further options."""
    program, port = shutil.which("redis-server"), port or free_port()
    if program is None:
        missing("redis-server")
    own = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(root)]
    with running([program, *own, *words], "Ready to accept connections"):
        yield port


@contextlib.contextmanager
def running_etcd(root: pathlib.Path, port: int = 0, *words: str) -> Iterator[int]:
    """Run an etcd server with data below `root`; yield its port. Further `words` are its options."""
    program, port, peers = shutil.which("etcd"), port or free_port(), free_port()
    if program is None:
        missing("etcd-server")
    own, other = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peers}"
    given = [f"--data-dir={root}/etcd", f"--listen-client-urls={own}", f"--advertise-client-urls={own}"]
    given += [f"--listen-peer-urls={other}", f"--initial-advertise-peer-urls={other}"]
    given += [f"--initial-cluster=default={other}", "--unsafe-no-fsync", *words]
    with running([program, *given], "ready to serve client requests"):
        yield port


def postgres_program(name: str) -> str | None:
    """Return the path of a program of the newest PostgreSQL, None if not installed."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name)


def missing(what: str) -> NoReturn:
    """Skip a test for a missing program; fail where all programs must be installed."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@contextlib.contextmanager
def running_postgres(
    root: pathlib.Path, port: int | None = None, *, networks: Sequence[str] = (), settings: Iterable[str] = ()
) -> Iterator[int]:
    """Run a PostgreSQL server below a world-accessible directory; yield its port. The user is `salt`.

    A second time in the same directory it has the data of the first one. `networks` may connect besides this
    host, `settings` are "name=value".
    """
    initdb, program = postgres_program("initdb"), postgres_program("postgres")
    if not initdb or not program:
        pytest.skip("postgresql is not installed")
    port = port or free_port()
    root.mkdir(exist_ok=True)
    as_other: dict[str, Any] = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        as_other = {"user": "nobody"}
        shutil.chown(root, "nobody")
    data = root / "data"
    made: list[str | pathlib.Path] = [initdb, "-D", data, "-U", "salt", "-A", "trust", "-N"]
    if not data.exists():
        subprocess.run(made, check=True, capture_output=True, cwd=root, **as_other)
        with (data / "pg_hba.conf").open("a") as rules:
            rules.writelines(f"host all all {network} trust\n" for network in networks)
    address = "*" if networks else "127.0.0.1"
    options = ["-c", f"listen_addresses={address}", "-c", f"unix_socket_directories={root}"]
    options += [word for setting in settings for word in ("-c", setting)]
    words: list[str | pathlib.Path] = [program, "-D", data, "-p", str(port), *options]
    # With SIGTERM it would wait for its clients.
    # A standby accepts read-only connections.
    with running(words, "ready to accept", end=signal.SIGINT, cwd=root, **as_other):
        yield port


def make_standby(root: pathlib.Path, port: int) -> None:
    """Copy a running PostgreSQL server; `running_postgres` in the same directory is then its standby."""
    root.mkdir()
    as_other: dict[str, Any] = {}
    if os.geteuid() == 0:
        as_other = {"user": "nobody"}
        shutil.chown(root, "nobody")
    program = postgres_program("pg_basebackup")
    assert program is not None, "pg_basebackup is missing"
    place = ["-h", "127.0.0.1", "-p", str(port), "-U", "salt"]
    words: list[str | pathlib.Path] = [program, *place, "-D", root / "data", "-R", "-c", "fast"]
    subprocess.run(words, check=True, capture_output=True, cwd=root, **as_other)
