"""What functions of network devices return.

Shapes: `{"out": what the driver returned, "result": whether it went well, "comment": why not}`, as in stock.
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.api import connection_functions, scratch
from salt_g.resources.network_device.device import DeviceError

log = logging.getLogger(__name__)

Answer = dict[str, Any]


def ask(method: str, *args: Any, **kwargs: Any) -> Answer:
    """Call a method of the device's driver; arguments that are None are left to it."""
    try:
        out = connection_functions["network_device.call"](method, *args, **kwargs)
    except DeviceError as exc:
        log.error("%s", exc)
        scratch["retcode"] = 1
        return {"out": {}, "result": False, "comment": str(exc)}
    return {"out": out, "result": True, "comment": ""}


def answer(method: str, *args: Any, **kwargs: Any) -> Answer:
    """Ask, and let go of a connection that is not to stay."""
    found = ask(method, *args, **kwargs)
    connection_functions["network_device.release"]()
    return found
