"""A master with its HTTP API and minions, for the tests of a file."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from tests.support.api_client import SETTINGS
from tests.support.daemons import RunningApi, RunningMaster, RunningMinion


@contextlib.contextmanager
def running(ids: Iterable[str] = ("m1",), **settings: Any) -> Iterator[tuple[RunningMaster, RunningApi]]:
    """Yield (master, api) of a new fleet with these minions."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        master = RunningMaster(root / "master", is_forked=True, **{**SETTINGS, **settings}).start()
        stack.callback(master.stop)
        for id in ids:
            address = f"127.0.0.1:{master.ret_port}"
            minion = RunningMinion(root / id, is_forked=True, id=id, master=address).start()
            stack.callback(minion.stop)
        api = RunningApi(master).start()
        stack.callback(api.stop)
        yield master, api
