"""Stock's `salt.netapi`: calls on a master from low data, as an HTTP API receives it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from salt_g import stock_errors
from salt_g.client.local import LocalClient
from salt_g.client.runner import RunnerClient
from salt_g.client.unix_link import is_served
from salt_g.client.wheel import WheelClient
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes.loads import Answers

_errors = vars(stock_errors)


class NetapiClient:
    """Client for low data, {client, fun, ...} with credentials; `opts` are the master's settings."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self.opts = opts

    def __enter__(self) -> NetapiClient:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing, because no connection stays open between calls."""

    def destroy(self) -> None:
        """Do nothing: each call has its own connection."""

    def run(self, low: Mapping[str, Any]) -> Any:
        """Run one call through the client that the low data names, and return that client's result.

        Raise SaltDaemonNotRunning without a master, SaltInvocationError for a client that does not exist or
        is not enabled (`netapi_enable_clients`), EauthAuthenticationError without credentials.
        """
        if not is_served(str(self.opts["sock_dir"])):
            raise _errors["SaltDaemonNotRunning"](
                f"no master is running: there is no socket in {self.opts['sock_dir']}"
            )
        client = low.get("client")
        if client not in CLIENTS:
            raise InvocationError(f"client {client!r} does not exist; the clients are: {', '.join(CLIENTS)}")
        if client not in (self.opts.get("netapi_enable_clients") or ()):
            raise InvocationError(f"client {client} is disabled; add it to netapi_enable_clients")
        if "token" not in low and "eauth" not in low:
            raise _errors["EauthAuthenticationError"](
                "a call needs credentials: token, or eauth and its fields"
            )
        return getattr(self, client)(**{name: value for name, value in low.items() if name != "client"})

    def local(self, *args: Any, **kwargs: Any) -> Answers:
        """Run a function on minions and return {id: value}."""
        with self._local() as client:
            return client.cmd(*args, **kwargs)

    def local_async(self, *args: Any, **kwargs: Any) -> Any:
        """Start a job and return {jid, minions}."""
        with self._local() as client:
            return client.run_job(*args, **kwargs)

    def local_subset(self, *args: Any, **kwargs: Any) -> Any:
        """Run a function on a random subset of the minions and return {id: value}."""
        with self._local() as client:
            return client.cmd_subset(*args, **kwargs)

    def local_batch(self, *args: Any, **kwargs: Any) -> Iterator[Answers]:
        """Run a job in batches and yield the returns."""
        with self._local() as client:
            yield from client.cmd_batch(*args, **kwargs)

    def runner(self, fun: str, timeout: Any = None, full_return: bool = False, **kwargs: Any) -> Any:
        """Run a runner function and return its value; `timeout` (s) can be text."""
        limit = None if timeout is None else float(timeout)
        with RunnerClient(self.opts) as client:
            return client.cmd_sync({**kwargs, "fun": fun}, timeout=limit, full_return=full_return)

    def runner_async(self, fun: str, **kwargs: Any) -> Answers:
        """Start a runner function and return the {tag, jid} of its events."""
        with RunnerClient(self.opts) as client:
            return client.cmd_async({**kwargs, "fun": fun})

    def wheel(self, fun: str, **kwargs: Any) -> Answers:
        """Run a wheel function and return {tag, data}."""
        with WheelClient(self.opts) as client:
            return client.cmd_sync({**kwargs, "fun": fun})

    def wheel_async(self, fun: str, **kwargs: Any) -> Answers:
        """Run a wheel function and return {tag, jid}."""
        with WheelClient(self.opts) as client:
            return client.cmd_async({**kwargs, "fun": fun})

    def ssh(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise CommandExecutionError, because the runner `ssh.cmd` replaces this client."""
        raise CommandExecutionError(
            "the client ssh is not available here: call the runner ssh.cmd (client: runner); the user needs"
            " the permission to call it"
        )

    def _local(self) -> LocalClient:
        return LocalClient(mopts=self.opts)


#: Names of clients.
CLIENTS = [
    name
    for name, _ in inspect.getmembers(NetapiClient, inspect.isfunction)
    if not name.startswith("_") and name not in ("destroy", "run")
]

__all__ = ["CLIENTS", "NetapiClient"]
