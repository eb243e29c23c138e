"""Stock's `salt.states.service`: the states of `service`, and the systemd-only arguments."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.compat.utils.host import systemd

_service = importlib.import_module("salt_g.states.service")
globals().update({name: getattr(_service, name) for name in _service.__all__})
SYSTEMD_ONLY = ("no_block", "unmask", "unmask_runtime")


def _get_systemd_only(
    func: Callable[..., Any], kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return (systemd-only arguments in `kwargs` that `func` accepts, []).

    On a system that does not run systemd, return ({}, a warning for each of them).
    """
    taken = inspect.signature(func).parameters
    given = {name: kwargs[name] for name in SYSTEMD_ONLY if name in kwargs and name in taken}
    if systemd.booted():
        return given, []
    return {}, [f"The '{name}' argument is not supported by this platform" for name in given]


__all__ = ["SYSTEMD_ONLY", *_service.__all__]
