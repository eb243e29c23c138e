"""Main program of a process that runs one function (`module_executors: [process]`).

The process reads the call, runs it and writes the result. Standard output is reserved for the result, so
output printed by the function goes to standard error.
Shapes: msgpack in {opts, grains, pillar, job, fun, args, kwargs}; out {return, retcode} or {error, text}.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g.shapes import Opts
from salt_g.shapes.loads import LoadFields


def main() -> None:
    """Run the call read from standard input."""
    out = os.dup(1)
    os.dup2(2, 1)
    from salt_g.process import monkey_patch

    monkey_patch.patch()
    from salt_g.wire.packing import pack_bus, unpack

    outcome = _run(unpack(sys.stdin.buffer.read()))
    with os.fdopen(out, "wb") as file:
        file.write(pack_bus(outcome))


def _run(asked: Mapping[str, Any]) -> dict[str, Any]:
    from salt_g import api
    from salt_g.errors import CommandExecutionError, InvocationError
    from salt_g.safe_files.links import UntrustedPath
    from salt_g.telemetry import log

    log.set_up(asked["opts"])
    context = _context(asked)
    with api.use(context):
        try:
            value = context.table("modules")[asked["fun"]](*asked["args"], **asked["kwargs"])
        except (CommandExecutionError, InvocationError) as exc:
            kinds = (CommandExecutionError, InvocationError)
            kind = next(kind for kind in kinds if isinstance(exc, kind))
            return {"error": kind.__name__, "text": str(exc)}
        except UntrustedPath as exc:
            return {"error": "CommandExecutionError", "text": str(exc)}
        except TypeError as exc:
            return {"error": "TypeError", "text": str(exc)}
        # A plugin may raise anything; the caller receives its traceback.
        except Exception:
            return {"error": "Exception", "text": traceback.format_exc()}
    return {"return": value, "retcode": context.scratch.get("retcode", 0)}


def _context(asked: Mapping[str, Any]) -> Any:
    from salt_g.local_call import local_context
    from salt_g.minion.bus_client import MinionBusClient
    from salt_g.minion.minion_context import remote_context

    opts = asked["opts"]
    parts = {"grains": asked["grains"], "pillar": asked["pillar"], "job": asked["job"]}
    if opts.get("file_client") == "local":
        return local_context(opts).replace(**parts)
    context = remote_context(opts, LateChannel(opts), events=lambda: MinionBusClient(opts))
    return context.replace(**parts)


class LateChannel:
    """Channel to the master, opened on first use; implements `services.daemons.Asking`."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self._channel: Any = None

    def ask(
        self,
        load: LoadFields,
        *,
        timeout: float | None = None,
        tries: int | None = None,
        binary: Sequence[str] = (),
    ) -> Any:
        """Send a load and return the reply."""
        return self._opened().ask(load, timeout=timeout, tries=tries, binary=binary)

    def ask_ahead(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Callable[[], Any]:
        """Send a load; return a function that waits for the reply."""
        reply: Callable[[], Any] = self._opened().ask_ahead(load, binary=binary)
        return reply

    def ask_own(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Any:
        """Send a command specific to salt-g; return the reply, or None if the master lacks the command."""
        return self._opened().ask_own(load, binary=binary)

    def ask_pillar(self, load: Mapping[str, Any]) -> Any:
        """Send a `_pillar` load and return the pillar."""
        return self._opened().ask_pillar(load)

    def close(self) -> None:
        """Close the connections."""
        if self._channel is not None:
            self._channel.close()

    def _opened(self) -> Any:
        if self._channel is None:
            from salt_g.minion.connection.connect import open_channel
            from salt_g.minion.settings import MasterAccessSettings

            self._channel = open_channel(MasterAccessSettings.of(self._opts))
        return self._channel
