"""`docker`: containers, images, networks and volumes of a Docker engine; needs the extra `docker`.

Begin with `_engine` (the connection), then `containers`. Tested against a simulated engine that
answers the HTTP API; not yet tested with a real engine.
"""

from __future__ import annotations

import importlib.util

from salt_g.modules.dockermod.comparison import compare_container_networks, compare_containers
from salt_g.modules.dockermod.containers import (
    create,
    kill,
    pause,
    rename,
    restart,
    retcode,
    rm_,
    run,
    run_all,
    signal_,
    start_,
    stop,
    unpause,
    wait,
)
from salt_g.modules.dockermod.docker_run import run_container
from salt_g.modules.dockermod.images import (
    build,
    images,
    inspect_image,
    list_tags,
    load,
    pull,
    resolve_image_id,
    resolve_tag,
    rmi,
    tag_,
)
from salt_g.modules.dockermod.inspection import (
    diff,
    exists,
    info,
    inspect,
    inspect_container,
    list_containers,
    logs,
    pid,
    port,
    ps_,
    state,
    top,
    version,
)
from salt_g.modules.dockermod.networks import (
    connect_container_to_network,
    connected,
    create_network,
    create_volume,
    disconnect_all_containers_from_network,
    disconnect_container_from_network,
    inspect_network,
    inspect_volume,
    networks,
    prune,
    remove_network,
    remove_volume,
    volumes,
)

__virtualname__ = "docker"
__func_alias__ = {"ps_": "ps", "rm_": "rm", "signal_": "signal", "start_": "start", "tag_": "tag"}

__all__ = [
    "build",
    "compare_container_networks",
    "compare_containers",
    "connect_container_to_network",
    "connected",
    "create",
    "create_network",
    "create_volume",
    "diff",
    "disconnect_all_containers_from_network",
    "disconnect_container_from_network",
    "exists",
    "images",
    "info",
    "inspect",
    "inspect_container",
    "inspect_image",
    "inspect_network",
    "inspect_volume",
    "kill",
    "list_containers",
    "list_tags",
    "load",
    "logs",
    "networks",
    "pause",
    "pid",
    "port",
    "prune",
    "ps_",
    "pull",
    "remove_network",
    "remove_volume",
    "rename",
    "resolve_image_id",
    "resolve_tag",
    "restart",
    "retcode",
    "rm_",
    "rmi",
    "run",
    "run_all",
    "run_container",
    "signal_",
    "start_",
    "state",
    "stop",
    "tag_",
    "top",
    "unpause",
    "version",
    "volumes",
    "wait",
]


def __virtual__() -> str | tuple[bool, str]:
    if importlib.util.find_spec("docker") is None:
        return False, "docker functions need the Python package 'docker': pip install 'salt-g[docker]'"
    return __virtualname__
