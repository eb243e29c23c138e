"""Requests of commands to the running master over its local socket, as the local user or with a login."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings
from salt_g.config import load as load_settings
from salt_g.errors import AuthorizationError, ClientError

if TYPE_CHECKING:
    from salt_g.shapes.loads import Load

#: Timeout for the master's answer (s).
TIMEOUT = 30.0


def ask(options: argparse.Namespace, load: Load) -> dict[str, Any]:
    """Return the master's reply; raise SaltGError if the master refuses or is not running."""
    from salt_g.client.unix_link import UnixLink  # Imported lazily: not needed for help and completion.

    client_settings.check_directory(options.config_dir)
    opts = load_settings("master", options.config_dir, asks_for_id=False).opts
    link = UnixLink(opts["sock_dir"])
    try:
        if options.eauth or options.mktoken:
            from salt_g.cli.cmd.login import credentials

            load = {**load, **credentials(options, opts, link)}
        reply = link.ask(load, timeout=TIMEOUT)
    finally:
        link.close()
    if not isinstance(reply, dict) or not reply:
        raise ClientError("the master does not know this request; does it run the same version of salt-g?")
    if "error" in reply:
        problem = reply["error"]
        if isinstance(problem, str):
            raise ClientError(problem)
        raise AuthorizationError("this user may not make this request on this master")
    return reply


def shown_call(fun: Any, arg: Any, *, width: int = 60) -> str:
    """Return a function and its arguments as one line of at most `width` characters."""
    from salt_g.loader.job_arguments import split_arguments

    if isinstance(fun, list) or not isinstance(arg, list):
        return ",".join(map(str, fun))[:width] if isinstance(fun, list) else str(fun)
    args, kwargs = split_arguments(arg)
    words = [str(fun), *map(str, args), *(f"{name}={value}" for name, value in kwargs.items())]
    text = " ".join(" ".join(words).split())
    return text if len(text) <= width else text[: width - 1] + "…"
