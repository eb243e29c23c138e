"""Jobs that a host of a roster publishes: `publish.publish`, `publish.full_data`, `publish.runner`.

The host is not involved: calls run on this machine, with the rights of the user of the command. Targets are
hosts of the roster, minions of the master of this machine, or both.
Shapes: returns are {id: value}, full ones {id: {"ret", "retcode", "jid", ...}}. Hosts without a result and
silent minions are left out and logged.
Units: seconds.
Errors: RosterError, TargetError, MasterUnreachable.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.cli.ssh.host_calls import HostCall, HostReturn, function_on, on_targeted_hosts
from salt_g.cli.ssh.runner_calls import HostRunnerCalls
from salt_g.data import jid as jids
from salt_g.loader.arguments import read_value
from salt_g.loader.job_arguments import split_arguments
from salt_g.shapes import MasterCall, Opts
from salt_g.shapes.loads import Answers

log = logging.getLogger(__name__)


class HostPublications:
    """Implementation of `publish.*` for hosts; `opts` are the settings of the command."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts

    def publish(
        self,
        tgt: Any,
        fun: str,
        arg: Any = None,
        tgt_type: str = "glob",
        returner: str = "",
        timeout: float = 5,
        roster: str | None = None,
        ssh_minions: bool = True,
        regular_minions: bool = False,
    ) -> Answers:
        """Run a function on hosts of the roster and on minions; return {id: value}.

        `arg` is a list or comma-separated text. `roster` replaces the roster of the command.
        `returner` and `timeout` apply to minions only.

        Example::

            salt-g ssh web1 publish.publish 'db*' test.ping regular_minions=True
        """
        full = self.full_data(
            tgt, fun, arg, tgt_type, returner, timeout, roster, ssh_minions, regular_minions
        )
        return {id: one["ret"] for id, one in full.items()}

    def full_data(
        self,
        tgt: Any,
        fun: str,
        arg: Any = None,
        tgt_type: str = "glob",
        returner: str = "",
        timeout: float = 5,
        roster: str | None = None,
        ssh_minions: bool = True,
        regular_minions: bool = False,
    ) -> Answers:
        """Run a function as `publish.publish` does; return {id: {"ret": value, ...}}.

        Example::

            salt-g ssh web1 publish.full_data 'db*' test.ping
        """
        if fun.startswith("publish."):
            log.info("%s cannot be published", fun)
            return {}
        words = _arguments(arg)
        found: Answers = {}
        if regular_minions:
            found.update(self._of_minions(tgt, fun, words, tgt_type, returner, timeout))
        if ssh_minions:
            found.update(self._of_hosts(tgt, fun, words, tgt_type, roster))
        return found

    def runner(self, fun: str, arg: Any = None, timeout: float = 5) -> Any:
        """Run a runner function on the master of this machine and return its value.

        `timeout` has no effect, because the call waits until the runner ends.

        Example::

            salt-g ssh web1 publish.runner manage.up
        """
        args, kwargs = split_arguments(_arguments(arg))
        return HostRunnerCalls(self._opts).run(MasterCall("runner", fun, args, kwargs, user=""))

    def _of_minions(
        self, tgt: Any, fun: str, words: list[Any], tgt_type: str, returner: str, timeout: float
    ) -> Answers:
        from salt_g.client.local import LocalClient  # Imported lazily: few commands ask minions.

        args, kwargs = split_arguments(words)
        with LocalClient(mopts=self._opts) as client:
            # A signing policy may be limited to some ids, so the host is named as the publisher.
            client.publisher = str(api.opts["id"])
            found = client.cmd(tgt, fun, args, timeout, tgt_type, returner, full_return=True, kwarg=kwargs)
        silent = sorted(id for id, data in found.items() if data.get("out") == "no_return")
        if silent:
            log.error("%s: no return from %s", fun, ", ".join(silent))
        return {id: data for id, data in found.items() if id not in silent}

    def _of_hosts(self, tgt: Any, fun: str, words: list[Any], tgt_type: str, roster: str | None) -> Answers:
        """Run the function on hosts of the roster; hosts that fail are logged and left out."""
        args, kwargs = split_arguments(words)
        call = HostCall(fun, args, kwargs, jids.make())
        returns = on_targeted_hosts(
            self._opts, tgt, tgt_type, roster, lambda contexts, id: function_on(contexts, id, call)
        )
        return {one.id: _full(one, call) for one in returns if not _has_failed(one, call)}


def _full(one: HostReturn, call: HostCall) -> Mapping[str, Any]:
    """Return a result in the form of a minion's return."""
    about = {"id": one.id, "jid": call.jid, "fun": call.fun, "fun_args": call.args}
    return {"ret": one.value, "retcode": one.retcode, **about}


def _has_failed(one: HostReturn, call: HostCall) -> bool:
    """Return whether a host's result is an error, and log the error."""
    if not one.is_error:
        return False
    text = one.value.get("stderr") or one.value.get("stdout") if isinstance(one.value, dict) else one.value
    log.error("%s: %s: %s", one.id, call.fun, str(text).strip())
    return True


def _arguments(arg: Any) -> list[Any]:
    """Return the arguments of a published function as a list; text is split at commas."""
    if arg is None:
        return []
    if isinstance(arg, str):
        words = [part.strip() for part in arg.split(",")]
        return [word if "=" in word else read_value(word) for word in words]
    return list(arg) if isinstance(arg, (list, tuple)) else [arg]
