"""Requested runs: tested now, confirmed later.

Shapes: a request is {test_run: running dict, mods: the requested SLS, kwargs: options}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import services
from salt_g.modules.state._options import without_test
from salt_g.modules.state.apply import apply


def request(mods: Any = None, **kwargs: Any) -> Any:
    """Run `state.apply` in test mode and keep the request under `name` (default: `default`).

    Example::

        salt-g state.request web name=friday
    """
    name = kwargs.pop("name", "default")
    kwargs = {**without_test(kwargs), "test": True}
    ret = apply(mods, **kwargs)
    services().states.requests.put(name, {"test_run": ret, "mods": mods, "kwargs": kwargs})
    return ret


def check_request(name: str | None = None) -> Mapping[str, Any]:
    """Return the pending requests, {name: request}, or the one of this name, {} if it does not exist.

    Example::

        salt-g state.check_request
    """
    pending = services().states.requests.read()
    return pending.get(name, {}) if name else pending


def clear_request(name: str | None = None) -> bool:
    """Delete one request, or all; return False if requests were made, but none of this name.

    Example::

        salt-g state.clear_request friday
    """
    return services().states.requests.clear(name)


def run_request(name: str = "default", **kwargs: Any) -> Any:
    """Run the requested states outside of test mode, then delete all requests.

    Returns {} if there is no request `name`.

    Example::

        salt-g state.run_request friday
    """
    wanted = check_request(name)
    if not wanted:
        return {}
    ret = apply(wanted["mods"], **without_test({**wanted["kwargs"], **kwargs}))
    clear_request()
    return ret
