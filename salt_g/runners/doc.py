"""Documentation of functions: runners, wheel functions, execution modules."""

from __future__ import annotations

import inspect
from typing import Any

from salt_g.api import current, opts, services
from salt_g.services.daemons import MasterServices


def runner() -> dict[str, str]:
    """Return {function: documentation} of all runners.

    Example::

        salt-g run doc.runner
    """
    return _docs("runners")


def wheel() -> dict[str, str]:
    """Return {function: documentation} of all wheel functions.

    Example::

        salt-g run doc.wheel
    """
    return _docs("wheel")


def execution() -> dict[str, Any]:
    """Return {function: documentation} of the execution functions of all minions.

    Example::

        salt-g run doc.execution
    """
    found: dict[str, Any] = {}
    for docs in services(MasterServices).client.cmd("*", "sys.doc", timeout=opts["timeout"]).values():
        if isinstance(docs, dict):
            found.update(docs)
    return found


def _docs(kind: str) -> dict[str, str]:
    table = current().table(kind)
    return {name: inspect.getdoc(table[name]) or "" for name in sorted(table)}
