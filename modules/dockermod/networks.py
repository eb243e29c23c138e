"""Networks and volumes of the engine."""

from __future__ import annotations

from typing import Any

from salt_g.api import own_arguments
from salt_g.errors import CommandExecutionError
from salt_g.modules.dockermod._arguments import key_values
from salt_g.modules.dockermod._engine import ask, engine

_POOL = ("subnet", "iprange", "gateway", "aux_addresses")


def networks(names: Any = None, ids: Any = None) -> list[dict[str, Any]]:
    """Return all networks, or those with these names or ids.

    Example::

        salt-g docker.networks names='["bridge"]'
    """
    found: list[dict[str, Any]] = ask("networks", names=names, ids=ids)
    return [each for each in found if not names or each["Name"] in names]


def inspect_network(network_id: str) -> dict[str, Any]:
    """Return all details of a network.

    Example::

        salt-g docker.inspect_network bridge
    """
    return dict(ask("inspect_network", network_id))


def create_network(name: str, **kwargs: Any) -> dict[str, Any]:
    """Create a network with a `driver`; return the engine's answer, {"Id", "Warning"}.

    `driver_opts`, `labels`, `internal`, `attachable` and `enable_ipv6` are its options. `subnet`, `iprange`,
    `gateway` and `aux_addresses` define an address pool, `ipam_pools` (a list of mappings with these keys)
    further ones; `ipam_driver` and `ipam_opts` select and configure the driver that assigns addresses.

    Example::

        salt-g docker.create_network front subnet=192.168.50.0/24
    """
    given = own_arguments(kwargs)
    words = ("driver", "internal", "attachable", "enable_ipv6", "ingress", "scope", "check_duplicate")
    options = {key: given[key] for key in words if given.get(key) is not None}
    if given.get("driver_opts"):
        options["options"] = key_values(given["driver_opts"])
    if given.get("labels"):
        options["labels"] = key_values(given["labels"])
    return dict(ask("create_network", name, ipam=_ipam(given), **options))


def remove_network(network_id: str) -> bool:
    """Remove a network.

    Example::

        salt-g docker.remove_network front
    """
    ask("remove_network", network_id)
    return True


def connected(name: str, verbose: bool = False) -> Any:
    """Return the names of the containers in a network, {id: container} if `verbose`.

    Example::

        salt-g docker.connected front
    """
    found: dict[str, dict[str, Any]] = inspect_network(name).get("Containers") or {}
    return found if verbose else [about.get("Name", key) for key, about in found.items()]


def connect_container_to_network(container: str, net_id: str, **kwargs: Any) -> bool:
    """Connect a container to a network, with `ipv4_address`, `ipv6_address`, `aliases` or `links` if given.

    Example::

        salt-g docker.connect_container_to_network web front ipv4_address=192.168.50.7
    """
    ask("connect_container_to_network", container, net_id, **own_arguments(kwargs))
    return True


def disconnect_container_from_network(container: str, network_id: str) -> bool:
    """Disconnect a container from a network.

    Example::

        salt-g docker.disconnect_container_from_network web front
    """
    ask("disconnect_container_from_network", container, network_id)
    return True


def disconnect_all_containers_from_network(network_id: str) -> list[str]:
    """Disconnect all containers from a network; return their names.

    Example::

        salt-g docker.disconnect_all_containers_from_network front
    """
    done, problems = [], []
    for container in connected(network_id):
        try:
            disconnect_container_from_network(container, network_id)
            done.append(container)
        except CommandExecutionError as exc:
            problems.append(f"{container}: {exc}")
    if problems:
        raise CommandExecutionError("; ".join(problems))
    return done


def volumes(filters: Any = None) -> dict[str, Any]:
    """Return {"Volumes": [volume, ...]}.

    Example::

        salt-g docker.volumes
    """
    return dict(ask("volumes", filters=filters))


def create_volume(name: str, driver: str | None = None, driver_opts: Any = None) -> dict[str, Any]:
    """Create a volume; return its details.

    Example::

        salt-g docker.create_volume data driver=local
    """
    return dict(ask("create_volume", name, driver=driver, driver_opts=key_values(driver_opts) or None))


def remove_volume(name: str) -> bool:
    """Remove a volume.

    Example::

        salt-g docker.remove_volume data
    """
    ask("remove_volume", name)
    return True


def inspect_volume(name: str) -> dict[str, Any]:
    """Return all details of a volume.

    Example::

        salt-g docker.inspect_volume data
    """
    return dict(ask("inspect_volume", name))


def prune(
    containers: bool = False,
    networks: bool = False,
    images: bool = False,
    build: bool = False,
    volumes: bool = False,
    system: bool | None = None,
    **filters: Any,
) -> dict[str, Any]:
    """Remove unused objects of the selected kinds; return {kind: the engine's response}.

    `system` selects all kinds but volumes; `build` is the build cache. Further keywords are the engine's
    filters (`until=24h`), which do not apply to the build cache.

    Example::

        salt-g docker.prune images=True
    """
    wanted = {
        "containers": containers or system,
        "images": images or system,
        "networks": networks or system,
        "volumes": volumes,
    }
    narrow = own_arguments(filters) or None
    with engine() as connection:
        result = {
            kind: getattr(connection, f"prune_{kind}")(filters=narrow)
            for kind, is_on in wanted.items()
            if is_on
        }
        if build or system:
            result["build"] = connection.prune_builds()
    return result


def _ipam(given: dict[str, Any]) -> Any:
    import docker  # Imported lazily: slow, and part of the extra `docker`.

    one = {key: given[key] for key in _POOL if given.get(key)}
    pools = [*(given.get("ipam_pools") or []), *([one] if one else [])]
    if not pools and not given.get("ipam_driver"):
        return None
    configs = [
        docker.types.IPAMPool(**{**pool, "aux_addresses": key_values(pool.get("aux_addresses")) or None})
        for pool in pools
    ]
    return docker.types.IPAMConfig(
        driver=given.get("ipam_driver") or "default",
        pool_configs=configs,
        options=key_values(given.get("ipam_opts")) or None,
    )
