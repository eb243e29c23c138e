"""Our HTTP API and stock's `salt-api` beside one salt-g master and its minion m1."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

import yaml

from tests.support.api_client import ApiClient
from tests.support.api_fleet import running
from tests.support.free_ports import free_ports
from tests.support.stock_daemon import clean_environment
from tests.support.waiting import until


@contextlib.contextmanager
def both_apis(stock_bin: pathlib.Path, directory: pathlib.Path, **settings: Any) -> Iterator[tuple[int, int]]:
    """Yield (port of stock's, port of ours); `directory` is for stock's settings."""
    [port] = free_ports(1)
    rest = {"host": "127.0.0.1", "port": 0, "disable_ssl": True}
    with running(rest_cherrypy=rest, **settings) as (master, api):
        own = {**master.settings, "rest_cherrypy": {**rest, "port": port}}
        own.update(api_pidfile=str(directory / "pid"), api_logfile=str(directory / "log"))
        (directory / "master").write_text(yaml.safe_dump(own))
        with open(os.devnull, "wb") as null:
            process = subprocess.Popen(
                [str(stock_bin / "salt-api"), "-c", str(directory)],
                stdin=subprocess.DEVNULL,
                stdout=null,
                stderr=null,
                env=clean_environment(),
            )
        try:
            until(lambda: _is_up(port), "stock's salt-api")
            yield port, api.port
        finally:
            process.terminate()
            process.wait(60)


def _is_up(port: int) -> bool:
    try:
        return ApiClient(port).get("/").status == 200
    except OSError:
        return False
