"""`salt-g call` with a master: connection, call context, and delivery of the result to the master.

A call without a master never imports this file, because the hub, sockets and cryptography take longer to
load than most functions to run.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from salt_g.api import CallContext
from salt_g.cli.call.invocation import Returned
from salt_g.cli.error_report import advice
from salt_g.config import Settings
from salt_g.errors import NoReply, SaltGError, SignInRefused
from salt_g.process.secret_hiding import hide
from salt_g.services.daemons import MinionServices

if TYPE_CHECKING:
    from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Exit code if the connection to the master fails, as in stock when the master refuses authentication.
NOT_ADMITTED = 2


@contextlib.contextmanager
def context_of(settings: Settings, fun: str) -> Iterator[CallContext]:
    """Yield the context of a call of `fun` with a master; exit if the connection fails."""
    from salt_g.process import monkey_patch

    # Must run before the channel opens its first socket, so that parallel states yield to it.
    monkey_patch.patch()
    from salt_g.minion import minion_context as contexts
    from salt_g.minion.bus_client import MinionBusClient
    from salt_g.minion.connection.connect import open_channel
    from salt_g.minion.settings import MasterAccessSettings

    opts = settings.opts
    try:
        channel = open_channel(MasterAccessSettings.of(opts))
        opts = contexts.opts_for(opts, channel, fun)
    except (SaltGError, OSError) as exc:
        sys.exit(_refused(exc, opts))
    try:
        yield contexts.remote_context(opts, channel, events=lambda: MinionBusClient(opts))
    finally:
        channel.close()


def send_return(context: CallContext, result: Returned) -> None:
    """Send the call's return to the master, which assigns it a jid."""
    load = hide(result.as_load(context))
    load.update({"cmd": "_return", "jid": "req", "success": result.retcode == 0})
    if result.outputter:
        load["out"] = result.outputter
    try:
        context.services.of(MinionServices).master.ask(load)
    except SaltGError as exc:
        log.error("cannot send the return to the master: %s", exc)


def _refused(exc: Exception, opts: Opts) -> int:
    print(f"salt-g call: {_what(exc, opts)}", file=sys.stderr)
    return NOT_ADMITTED


def _what(exc: Exception, opts: Opts) -> str:
    if isinstance(exc, SignInRefused) and exc.reason == "pending":
        return (
            "Minion failed to authenticate with the master, has the minion key been accepted?"
            f" Accept it on the master: salt-g key -a {opts['id']}"
        )
    if isinstance(exc, SignInRefused) and exc.reason == "rejected":
        from salt_g.minion.connection.session import rejected_text

        return f"master {opts['master']}: {rejected_text(str(opts['id']))}"
    if isinstance(exc, NoReply):
        return f"{exc}; is a master running there? --local needs none"
    return f"{exc}{advice(exc)}"
