"""Function calls on hosts of the roster (`ssh.cmd`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.runners.ssh.program import called


def cmd(
    tgt: Any,
    fun: str,
    arg: Sequence[Any] = (),
    timeout: float | None = None,
    tgt_type: str = "glob",
    kwarg: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Run a function on hosts of the roster; return {id: {return, retcode, jid, id, fun, fun_args}}.

    `timeout` (s) limits the whole call; without it, the call ends with the last host.

    Example::

        salt-g run ssh.cmd 'web*' cmd.run '["uptime"]'
    """
    given = [arg] if isinstance(arg, str) else arg
    lines = [_text(value) for value in given]
    lines += [f"{name}={_text(value)}" for name, value in (kwarg or {}).items()]
    return called(tgt, tgt_type, ["--metadata"], [str(fun)], lines, timeout)


def _text(value: Any) -> str:
    """Return a value as one line of text, from which the function gets the same value."""
    return json.dumps(value, ensure_ascii=False, default=str)
