"""Master on the minion's own machine, as used by `saltutil.cmd`, `saltutil.runner` and `saltutil.wheel`.

As in stock, this is the master whose settings are in the same directory as the minion's. The master's socket
identifies the user of this process, so that functions get only the permissions of that user.
Errors: CommandExecutionError if no master runs here, or if it refuses.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from salt_g import config
from salt_g.client.base_client import BaseClient
from salt_g.client.connect import open_link
from salt_g.client.link import Link
from salt_g.client.local import LocalClient
from salt_g.client.runner import RunnerClient
from salt_g.client.wheel import WheelClient
from salt_g.errors import ClientError, CommandExecutionError, SaltGError
from salt_g.shapes import MasterCall, Opts

#: Timeout of a runner or wheel function (s); stock has none.
CALL_TIMEOUT = 86400.0
#: Stock's text if no master runs on this host.
ELSEWHERE = "This command can only be executed on a minion that is located on the master."

_Client = TypeVar("_Client", bound=BaseClient)


class OwnMasterClient:
    """Client that publishes jobs through this machine's master, with a new connection for each job."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts

    def cmd_iter(self, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """Publish a job; yield each return as it arrives."""
        with _connected(_local_client, self._opts) as client:
            yield from client.cmd_iter(*args, **kwargs)

    def cmd_batch(self, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """Publish a job in batches; yield each return."""
        with _connected(_local_client, self._opts) as client:
            yield from client.cmd_batch(*args, **kwargs)

    def cmd_subset(self, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """Publish a job to a random subset of the targeted minions; yield each return."""
        with _connected(_local_client, self._opts) as client:
            yield from client.cmd_subset(*args, **kwargs)


class OwnMasterCalls:
    """Calls of runner and wheel functions on this machine's master."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts

    def outcome(self, call: MasterCall) -> dict[str, Any]:
        """Run a runner or wheel function and return the outcome; see `services.daemons.Calls`."""
        low = {"fun": call.fun, "arg": list(call.args), "kwarg": dict(call.kwargs)}

        def make(settings: Opts, link: Link) -> RunnerClient | WheelClient:
            client = RunnerClient if call.kind == "runner" else WheelClient
            return client(settings, link=link, user=call.user)

        with _connected(make, self._opts) as client:
            done: dict[str, Any] = client.cmd_sync(low, timeout=CALL_TIMEOUT, full_return=True)["data"]
        return done


def _local_client(settings: Opts, link: Link) -> LocalClient:
    return LocalClient(mopts=settings, link=link)


@contextlib.contextmanager
def _connected(make: Callable[[Opts, Link], _Client], opts: Opts) -> Iterator[_Client]:
    """Yield a client with a connection to this machine's master; close the connection afterwards."""
    try:
        settings = config.load("master", os.path.dirname(str(opts["conf_file"])), asks_for_id=False).opts
        link = open_link(settings)
    except SaltGError as exc:
        raise CommandExecutionError(f"{ELSEWHERE} {exc}") from exc
    with make(settings, link) as client:
        try:
            yield client
        except ClientError as exc:
            raise CommandExecutionError(str(exc)) from exc
