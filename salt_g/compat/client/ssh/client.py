"""Stock's `salt.client.ssh.client`: calls of functions on hosts of the roster, for programs."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g import api, config
from salt_g.errors import ClientError, InvocationError
from salt_g.local_call import local_context
from salt_g.runners import ssh
from salt_g.runners.ssh import program

#: Stock's keywords that have no effect here; most concern output, or Python on the hosts.
_UNUSED = frozenset(
    [
        *("extra_filerefs", "jid", "min_extra_mods", "rand_thin_dir", "refresh_cache", "regen_thin", "ret"),
        *("saltfile", "ssh_log_file", "ssh_skip_roster", "ssh_update_roster", "ssh_wipe", "static"),
        *("thin_extra_mods", "verbose"),
    ]
)


class SSHClient:
    """Client for hosts without a minion: `SSHClient().cmd("web*", "test.ping")`.

    Further keyword arguments of a call are settings of `salt-g ssh`, as in the state `salt.state` (`roster`,
    `ssh_user`, `ssh_priv`, ...); passwords belong in the roster.
    """

    def __init__(
        self,
        c_path: str = "",
        mopts: Mapping[str, Any] | None = None,
        disable_custom_roster: bool = False,
    ) -> None:
        """Use the settings of the master's config file `c_path`, or `mopts`."""
        self.opts: dict[str, Any] = dict(mopts) if mopts else _settings(c_path)

    def __enter__(self) -> SSHClient:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing, because no connection stays open between calls."""

    def destroy(self) -> None:
        """Do nothing: each call has its own connections."""

    def cmd(
        self,
        tgt: Any,
        fun: str,
        arg: Sequence[Any] = (),
        timeout: float | None = None,
        tgt_type: str | None = "glob",
        kwarg: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Run a function on hosts; return {id: {return, retcode, jid, id, fun, fun_args}}.

        With `raw_shell` (also in `opts`), `fun` is a shell command and results have stdout, stderr, retcode.
        """
        is_raw = bool(kwargs.pop("raw_shell", self.opts.get("raw_shell", False)))
        settings = {name: value for name, value in kwargs.items() if name not in _UNUSED}
        context = local_context({**self.opts, api.SSH_SETTINGS: settings})
        with api.use(context):
            if not is_raw:
                return ssh.cmd(tgt, fun, arg, timeout=timeout, tgt_type=tgt_type or "glob", kwarg=kwarg)
            command = " ".join([fun, *map(str, arg)])
            if "\n" in command:
                raise InvocationError("a shell command for hosts must be one line")
            return program.called(tgt, tgt_type or "glob", ["--raw-shell"], [], [command], timeout)

    def cmd_iter(self, tgt: Any, fun: str, *args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """Run a function on hosts; yield {id: result} for each host."""
        for id, result in self.cmd(tgt, fun, *args, **kwargs).items():
            yield {id: result}

    def cmd_sync(self, low: Mapping[str, Any]) -> dict[str, Any]:
        """Run the call described by low data, {tgt, fun, arg, kwarg, tgt_type, timeout, ...}."""
        known = {name: low[name] for name in ("arg", "timeout", "tgt_type", "kwarg") if name in low}
        more = {name: value for name, value in low.items() if name not in {"tgt", "fun", "client", *known}}
        return self.cmd(low["tgt"], low["fun"], **known, **more)

    def cmd_async(self, low: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Raise ClientError, as stock does, because a call on hosts ends with its caller."""
        raise ClientError("call functions on hosts of the roster with cmd_sync")

    def cmd_subset(
        self, tgt: Any, fun: str, arg: Sequence[Any] = (), *, subset: int = 3, **kwargs: Any
    ) -> Iterator[dict[str, Any]]:
        """Run a function on at most `subset` random hosts of the target; yield {id: result} for each."""
        kind = {name: kwargs.pop(name) for name in ("tgt_type",) if name in kwargs}
        ids = list(self.cmd(tgt, "test.ping", **kind))
        return self.cmd_iter(random.sample(ids, min(subset, len(ids))), fun, arg, tgt_type="list", **kwargs)


def _settings(c_path: str) -> dict[str, Any]:
    directory = os.path.dirname(c_path) if c_path and not os.path.isdir(c_path) else c_path
    return dict(config.load("master", directory or None, asks_for_id=False).opts)


__all__ = ["SSHClient"]
