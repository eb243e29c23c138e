"""Execution functions, called on the master or on minions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from salt_g import api
from salt_g.api import opts, own_arguments, services
from salt_g.errors import SaltGError
from salt_g.services.daemons import MasterServices
from salt_g.shapes import Arguments

log = logging.getLogger(__name__)


def cmd(fun: str, *args: Any, **kwargs: Any) -> Any:
    """Call an execution function on the master; it sees the master's pillar only with `with_pillar=True`.

    Example::

        salt-g run salt.cmd test.arg 1 2 key=value
    """
    keywords = own_arguments(kwargs)
    context = api.current()
    if not keywords.pop("with_pillar", False):
        context = context.replace(pillar={})
    if not api.has(fun):
        return f"'{fun}' is not available."
    with api.use(context):
        return api.call(fun, *args, **keywords)


def execute(
    tgt: Any,
    fun: str,
    arg: Sequence[Any] = (),
    timeout: float | None = None,
    tgt_type: str = "glob",
    ret: str = "",
    jid: str = "",
    kwarg: Arguments | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Run a function on the targeted minions and return {id: return}, or {} after an error, which is logged.

    Example::

        salt-g run salt.execute 'web*' cmd.run 'uptime'
    """
    try:
        found = services(MasterServices).client.cmd(
            tgt,
            fun,
            arg=arg,
            timeout=timeout or opts["timeout"],
            tgt_type=tgt_type,
            ret=ret,
            jid=jid,
            kwarg=kwarg,
            **own_arguments(kwargs),
        )
    except SaltGError as exc:
        log.error("%s on %s (%s): %s", fun, tgt, tgt_type, exc)
        return {}
    return found
