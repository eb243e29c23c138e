"""Pods of a Kubernetes cluster, managed through the API without an agent or a client library.

**Not tested on a real cluster**: the tests use a server that responds in the shapes of the public API.

The cluster is given by `kubeconfig` (a path on the managing minion; `context` selects a context in it), or by
`server` with `token` or `token_file` and `ca_file`; the default is the cluster in which the minion is a pod.
`pods` selects pods by label; such a pod has the id `NAMESPACE.POD`. Pods with permanent names can also be
listed under `hosts`.

Pillar::

    resources:
      k8s_pod:
        kubeconfig: /etc/salt/kubeconfig
        pods:
          - {namespace: shop, selector: 'app=web,tier!=cache'}
        hosts:
          db: {namespace: data, pod: postgres-0, container: main}

A kubeconfig that runs a program to log in (`exec`) is refused; create a token for the minion instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.api import opts, pillar, resource, scratch
from salt_g.errors import CommandExecutionError
from salt_g.resource_model.pillar_settings import declared, settings_of, without_secrets
from salt_g.resources.k8s_pod.access import read_access
from salt_g.resources.k8s_pod.exec_stream import ExecFinished, run_in_pod
from salt_g.resources.k8s_pod.requests import Cluster
from salt_g.shapes import GrainsDict

#: Modules taken from the minion: `pillar` reads the pillar of the running call, which is the resource's.
__fall_through__ = ("pillar",)

Where = dict[str, str]


class Pod(NamedTuple):
    """Location of a pod; `container` '' is the pod's default container."""

    namespace: str
    name: str
    container: str = ""

    @property
    def path(self) -> str:
        """Path of the pod in the API."""
        return f"/api/v1/namespaces/{self.namespace}/pods/{self.name}"


def discover(opts: Mapping[str, Any]) -> list[Any]:
    """Return the ids listed in pillar, and those of the running pods matched by the selectors."""
    below = _below(opts["pillar"], opts)
    hosts = below.get("hosts")
    found = {str(id): None for id in (hosts if isinstance(hosts, Mapping) else ())}
    cluster = _cluster(opts["pillar"], opts) if below.get("pods") else None
    for where in below.get("pods") or ():
        assert cluster is not None
        for pod in _selected(cluster, where):
            found[f"{pod['metadata']['namespace']}.{pod['metadata']['name']}"] = None
    return list(found)


def init(opts: Mapping[str, Any]) -> None:
    """Initialize the type; access to the cluster is read on first use."""
    scratch["trouble"] = {}
    scratch.pop("cluster", None)


def initialized() -> bool:
    """Return whether `init` was called."""
    return "trouble" in scratch


def shutdown(opts: Mapping[str, Any]) -> None:
    """Discard the credentials."""
    scratch.pop("cluster", None)


def ping() -> bool:
    """Return whether the pod runs; store the reason if it does not."""
    try:
        phase = str(about()["status"].get("phase"))
        reason = "" if phase == "Running" else f"the pod is {phase}"
    except CommandExecutionError as exc:
        reason = str(exc)
    scratch["trouble"][resource["id"]] = reason
    return not reason


def grains() -> GrainsDict:
    """Return the grains of the pod from the API."""
    pod = about()
    metadata, spec, status = pod["metadata"], pod.get("spec") or {}, pod.get("status") or {}
    addresses = [one["ip"] for one in status.get("podIPs") or () if one.get("ip")]
    return {
        "resource_type": "k8s_pod",
        "resource_id": resource["id"],
        "namespace": metadata["namespace"],
        "pod": metadata["name"],
        "labels": dict(metadata.get("labels") or {}),
        "node": spec.get("nodeName", ""),
        "image": [one.get("image", "") for one in spec.get("containers") or ()],
        "containers": [one["name"] for one in spec.get("containers") or ()],
        "phase": status.get("phase", ""),
        "ip": status.get("podIP", ""),
        "ipv4": [one for one in addresses if ":" not in one],
        "ipv6": [one for one in addresses if ":" in one],
    }


def about() -> dict[str, Any]:
    """Return the pod's description from the API."""
    found: dict[str, Any] = ask("GET", pod().path)
    return found


def ask(method: str, path: str, **options: Any) -> Any:
    """Send a request to the cluster; raises CommandExecutionError without secrets in its text."""
    try:
        return _cluster(pillar, opts).ask(method, path, **options)
    except CommandExecutionError as exc:
        raise CommandExecutionError(without_secrets(str(exc), _below(pillar, opts))) from None


def run(argv: list[str], *, stdin: bytes | None = None, timeout: float | None = None) -> ExecFinished:
    """Run a program in the pod's container; raises CommandExecutionError, CommandTimeout."""
    one = pod()
    cluster = _cluster(pillar, opts)
    return run_in_pod(
        cluster, f"{one.path}/exec", argv, container=one.container, stdin=stdin, timeout=timeout
    )


def pod() -> Pod:
    """Return the location of the call's pod."""
    id = resource["id"]
    settings = settings_of(_below(pillar, opts), id)
    namespace, _, name = id.partition(".")
    if settings.get("pod"):
        namespace, name = str(settings.get("namespace", "default")), str(settings["pod"])
    if not name or "/" in f"{namespace}{name}":
        raise CommandExecutionError(
            f"k8s_pod {id}: pillar names no pod, and the id is not of the form NAMESPACE.POD"
        )
    return Pod(namespace, name, str(settings.get("container") or ""))


def _below(pillar: Mapping[str, Any], opts: Mapping[str, Any]) -> Mapping[str, Any]:
    below = declared(pillar, opts).get("k8s_pod")
    return below if isinstance(below, Mapping) else {}


def _cluster(pillar: Mapping[str, Any], opts: Mapping[str, Any]) -> Cluster:
    if "cluster" not in scratch:
        scratch["cluster"] = Cluster(read_access(_below(pillar, opts)))
    cluster: Cluster = scratch["cluster"]
    return cluster


def _selected(cluster: Cluster, where: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the running pods matched by one entry of `pods`, in all namespaces if the entry has none."""
    namespace = where.get("namespace")
    path = f"/api/v1/namespaces/{namespace}/pods" if namespace else "/api/v1/pods"
    query = {"fieldSelector": "status.phase=Running", "limit": "500"}
    if where.get("selector"):
        query["labelSelector"] = str(where["selector"])
    while True:
        page = cluster.ask("GET", path, query=query)
        yield from page.get("items") or ()
        further = (page.get("metadata") or {}).get("continue")
        if not further:
            return
        query["continue"] = further
