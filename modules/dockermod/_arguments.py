"""Container arguments as users write them, translated to those of the engine's library.

SLS has lists of `key=value` and `8080:80/tcp`, the library expects mappings. Unknown arguments are refused by
name.

Source: stock docs of `docker_container.running`; docker-run(1).
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules._booleans import as_list

#: {command line name: library name}
_ALIASES = {
    "add_host": "extra_hosts",
    "bind": "binds",
    "cmd": "command",
    "cpuset": "cpuset_cpus",
    "device": "devices",
    "env": "environment",
    "expose": "ports",
    "interactive": "stdin_open",
    "label": "labels",
    "link": "links",
    "memory": "mem_limit",
    "memory_swap": "memswap_limit",
    "net": "network_mode",
    "pid": "pid_mode",
    "ipc": "ipc_mode",
    "publish": "port_bindings",
    "publish_all": "publish_all_ports",
    "restart": "restart_policy",
    "rm": "auto_remove",
    "sysctl": "sysctls",
    "ulimit": "ulimits",
    "userns": "userns_mode",
    "volume": "volumes",
    "workdir": "working_dir",
}
_MAPPINGS = {
    "environment": "=",
    "labels": "=",
    "sysctls": "=",
    "extra_hosts": ":",
    "links": ":",
    "storage_opt": "=",
}
_LISTS = ("binds", "cap_add", "cap_drop", "devices", "dns", "dns_opt", "dns_search", "group_add")
_MORE_LISTS = ("security_opt", "tmpfs", "volumes", "volumes_from")


def container_arguments(given: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Return the arguments of `create_container`; `version` is that of the engine's API."""
    import docker  # Imported lazily: slow, and part of the extra `docker`.

    wanted = _normalized(given)
    host_words = set(inspect.signature(docker.types.HostConfig).parameters) - {"version"}
    words = set(inspect.signature(docker.APIClient.create_container).parameters) - {"self", "host_config"}
    unknown = sorted(set(wanted) - host_words - words)
    if unknown:
        raise InvocationError(f"The following arguments are invalid: {', '.join(unknown)}")
    host = {key: value for key, value in wanted.items() if key in host_words}
    arguments = {key: value for key, value in wanted.items() if key in words and key not in host_words}
    return {**arguments, "host_config": docker.types.HostConfig(version=version, **host)}


def key_values(value: Any, separator: str = "=") -> dict[str, str]:
    """Return a mapping from `key=value` texts, one-item mappings or a mapping."""
    if isinstance(value, Mapping):
        return {str(key): "" if each is None else str(each) for key, each in value.items()}
    found: dict[str, str] = {}
    for item in as_list(value):
        pairs = item.items() if isinstance(item, Mapping) else [str(item).partition(separator)[::2]]
        found.update({str(key): "" if each is None else str(each) for key, each in pairs})
    return found


def _normalized(given: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {_ALIASES.get(key, key): value for key, value in given.items() if value is not None}
    for key, separator in _MAPPINGS.items():
        if key in wanted:
            wanted[key] = key_values(wanted[key], separator)
    for key in (*_LISTS, *_MORE_LISTS):
        if key in wanted:
            wanted[key] = [str(each) for each in as_list(wanted[key])]
    if "port_bindings" in wanted:
        wanted["port_bindings"] = _bindings(wanted["port_bindings"])
    ports = [_port(str(each)) for each in as_list(wanted.get("ports"))] + [
        _port(each) for each in wanted.get("port_bindings", {})
    ]
    if ports:
        wanted["ports"] = sorted(set(ports))
    inside = [*wanted.get("volumes", []), *(each.split(":")[1] for each in wanted.get("binds", []))]
    if inside:
        wanted["volumes"] = sorted(set(inside))
    return _with_records(wanted)


def _with_records(wanted: dict[str, Any]) -> dict[str, Any]:
    """Convert `on-failure:5`, `nofile=1024:2048`, `log_driver` and `log_opt` to the library's structures."""
    import docker  # Imported lazily: slow, and part of the extra `docker`.

    if isinstance(wanted.get("restart_policy"), str):
        name, _, count = wanted["restart_policy"].partition(":")
        wanted["restart_policy"] = {"Name": name, "MaximumRetryCount": int(count or 0)}
    if "ulimits" in wanted:
        limits = key_values(wanted["ulimits"])
        wanted["ulimits"] = [_limit(docker, name, *text.split(":")) for name, text in limits.items()]
    driver, options = wanted.pop("log_driver", None), wanted.pop("log_opt", None)
    if driver or options:
        wanted["log_config"] = docker.types.LogConfig(type=driver, config=key_values(options))
    return wanted


def _limit(docker: Any, name: str, soft: str, hard: str = "") -> Any:
    return docker.types.Ulimit(name=name, soft=int(soft), hard=int(hard or soft))


def _port(text: str) -> tuple[int, str]:
    number, _, protocol = text.partition("/")
    return int(number), protocol or "tcp"


def _bindings(value: Any) -> dict[str, Any]:
    """Return {"80/tcp": host port, (address, port) or None} for `[[address:]port:]80[/tcp]`."""
    if isinstance(value, Mapping):
        return {str(key): each for key, each in value.items()}
    found: dict[str, Any] = {}
    for text in map(str, as_list(value)):
        rest, _, protocol = text.partition("/")
        *outside, inside = rest.rsplit(":", 2)
        key = f"{inside}/{protocol or 'tcp'}"
        if len(outside) == 2:
            address, port = outside
            found[key] = (address, int(port)) if port else (address,)
        else:
            found[key] = int(outside[0]) if outside else None
    return found
