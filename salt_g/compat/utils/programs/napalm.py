"""Stock's `salt.utils.napalm`: connections to the network device in a minion's setting `napalm`.

Shapes: a device is {HOSTNAME, USERNAME, PASSWORD, DRIVER_NAME, TIMEOUT (s), OPTIONAL_ARGS, ALWAYS_ALIVE,
PROVIDER, UP, DRIVER}; DRIVER is the connection of the library napalm (extra `salt-g[napalm]`). Since there
are no proxy minions, each call of a decorated function opens a separate connection.
"""

import functools
import logging
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api

try:
    import napalm

    HAS_NAPALM = True
except ImportError:
    HAS_NAPALM = False
#: Stock's flag for newer versions of the library.
HAS_CONN_CLOSED_EXC_CLASS = HAS_NAPALM

log = logging.getLogger(__name__)

#: {field of a device: (names of its setting, default)}
_FIELDS: dict[str, tuple[tuple[str, ...], Any]] = {
    "HOSTNAME": (("host", "hostname", "fqdn", "ip"), None),
    "USERNAME": (("username", "user"), None),
    "DRIVER_NAME": (("driver", "os"), None),
    "PASSWORD": (("passwd", "password", "pass"), ""),
    "TIMEOUT": (("timeout",), 60),
    "ALWAYS_ALIVE": (("always_alive",), True),
    "PROVIDER": (("provider",), None),
}
_DEFAULT_ARGS = {"config_lock": False, "keepalive": 5}


def is_proxy(opts: Mapping[str, Any]) -> bool:
    """Return False, because devices are a minion's resources or its setting `napalm`."""
    return False


def is_minion(opts: Mapping[str, Any]) -> bool:
    """Return whether a minion has the setting `napalm`."""
    return bool(opts.get("napalm"))


def is_always_alive(opts: Mapping[str, Any]) -> bool:
    """Return the setting `always_alive` (default True), which `proxy_napalm_wrap` does not use."""
    return bool((opts.get("napalm") or opts.get("proxy") or {}).get("always_alive", True))


def not_always_alive(opts: Mapping[str, Any]) -> bool:
    """Return whether connections are closed after each call, as on every minion with `napalm`."""
    return is_minion(opts)


def virtual(opts: Mapping[str, Any], virtualname: str, filename: str) -> Any:
    """Return the result of a module's `__virtual__`: its name, or (False, reason)."""
    if HAS_NAPALM and is_minion(opts):
        return virtualname
    reason = "the minion has no setting `napalm`" if HAS_NAPALM else "NAPALM is not installed"
    return False, f'"{virtualname}" ({filename}) cannot be loaded: {reason}'


def get_device_opts(opts: Mapping[str, Any], salt_obj: Any = None) -> dict[str, Any]:
    """Return a device that is not connected yet."""
    settings: Mapping[str, Any] = opts.get("napalm") or {}
    device = {
        field: next((settings[name] for name in names if settings.get(name) is not None), default)
        for field, (names, default) in _FIELDS.items()
    }
    device["OPTIONAL_ARGS"] = {**_DEFAULT_ARGS, **(settings.get("optional_args") or {})}
    return {**device, "UP": False}


def get_device(opts: Mapping[str, Any], salt_obj: Any = None) -> dict[str, Any]:
    """Return a device with an open connection; exceptions of the library propagate."""
    device = get_device_opts(opts, salt_obj)
    driver = napalm.get_network_driver(device["DRIVER_NAME"])
    device["DRIVER"] = driver(
        device["HOSTNAME"],
        device["USERNAME"],
        device["PASSWORD"],
        timeout=device["TIMEOUT"],
        optional_args=device["OPTIONAL_ARGS"],
    )
    device["DRIVER"].open()
    device["UP"] = True
    return device


def call(napalm_device: Mapping[str, Any], method: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Call a method of a device's connection; return {result: success, out, comment: reason}.

    Keyword arguments that are None are left out; a failure has `traceback`.
    """
    name, host = napalm_device.get("DRIVER_NAME", ""), napalm_device.get("HOSTNAME", "[unspecified hostname]")
    given = {key: value for key, value in kwargs.items() if value is not None}
    try:
        if not napalm_device.get("UP", False):
            raise ConnectionError("not connected")
        out = getattr(napalm_device["DRIVER"], method)(*args, **given)
    except NotImplementedError:
        comment = f"{method} is not implemented for the NAPALM {name} driver!"
        trace = traceback.format_exc()
    except Exception as exc:  # A device driver can raise anything.
        comment = (
            f'Cannot execute "{method}" on {host} as {napalm_device.get("USERNAME", "")}. Reason: {exc}!'
        )
        trace = traceback.format_exc()
    else:
        return {"out": out, "result": True, "comment": ""}
    log.error("%s", comment)
    return {"out": {}, "result": False, "comment": comment, "traceback": trace}


def proxy_napalm_wrap(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a module's function so that `napalm_device` is an open device during its call."""

    @functools.wraps(func)
    def connected(*args: Any, **kwargs: Any) -> Any:
        names = func.__globals__
        opts = names.get("__opts__") or api.opts
        if kwargs.pop("force_reconnect", False):
            opts = {**opts, "napalm": {**(opts.get("napalm") or {}), **kwargs}}
        device = names["napalm_device"] = get_device(opts)
        try:
            return func(*args, **kwargs)
        finally:
            device["UP"] = False
            device["DRIVER"].close()

    return connected


def default_ret(name: str) -> dict[str, Any]:
    """Return the result of a state that has done nothing yet."""
    return {"name": name, "changes": {}, "result": False, "comment": ""}


def loaded_ret(
    ret: dict[str, Any],
    loaded: Mapping[str, Any],
    test: bool,
    debug: bool,
    compliance_report: bool = False,
    opts: Any = None,
) -> dict[str, Any]:
    """Return the result of a state, made from the result of `net.load_config`.

    `loaded` is {result, comment, diff, already_configured, loaded_config}; `debug` includes `loaded_config`
    in the result. `compliance_report` is ignored.
    """
    shown = str(loaded.get("comment", ""))
    if loaded.get("diff"):
        shown = f"{shown}\n\nConfiguration diff:\n\n{loaded['diff']}"
    if debug and "loaded_config" in loaded:
        shown = f"{shown}\n\nLoaded config:\n\n{loaded['loaded_config']}"
    if not loaded.get("result", False):
        return {**ret, "result": False, "comment": shown}
    if loaded.get("already_configured", True):
        return {**ret, "result": True, "comment": shown}
    if test:
        return {**ret, "result": None, "comment": shown}
    changes = {"diff": loaded.get("diff")}
    if debug and "loaded_config" in loaded:
        changes["loaded_config"] = loaded["loaded_config"]
    comment = f"Configuration changed!\n{loaded.get('comment', '')}"
    return {**ret, "changes": changes, "result": True, "comment": comment}


__all__ = [
    "HAS_NAPALM",
    "call",
    "default_ret",
    "get_device",
    "get_device_opts",
    "is_always_alive",
    "is_minion",
]
__all__ += ["is_proxy", "loaded_ret", "not_always_alive", "proxy_napalm_wrap", "virtual"]
