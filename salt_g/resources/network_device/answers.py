"""Results of network device functions.

Shapes: `{"out": the driver's result, "result": whether it succeeded, "comment": the error}`, as in stock.
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.api import connection_functions, scratch
from salt_g.resources.network_device.device import DeviceError

log = logging.getLogger(__name__)

Answer = dict[str, Any]


def ask(method: str, *args: Any, **kwargs: Any) -> Answer:
    """Call a method of the device's driver; keyword arguments that are None are left out."""
    try:
        out = connection_functions["network_device.call"](method, *args, **kwargs)
    except DeviceError as exc:
        log.error("%s", exc)
        scratch["retcode"] = 1
        return {"out": {}, "result": False, "comment": str(exc)}
    return {"out": out, "result": True, "comment": ""}


def answer(method: str, *args: Any, **kwargs: Any) -> Answer:
    """Call a method, then close a connection that is not kept."""
    found = ask(method, *args, **kwargs)
    connection_functions["network_device.release"]()
    return found
