"""Checks of a master: its keys, its ports, and the round trip to its minions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.config import Settings
from salt_g.doctor import cluster, host, signed_trees
from salt_g.doctor.finding import ERROR, GOOD, DoctorFinding, error, good, warning
from salt_g.errors import ConfigError, SaltGError, StoreError
from salt_g.master import start_checks
from salt_g.net import network_interfaces
from salt_g.transport.port_probe import Kind

#: Time limit for returns of minions (s), and maximum number of ids in one line.
PING_TIMEOUT, _NAMED = 5, 5

#: {kind of port: setting}
_PORTS: dict[Kind, str] = {"requests": "ret_port", "publications": "publish_port"}


def check(settings: Settings) -> Iterator[DoctorFinding]:
    """Run all checks of a master."""
    opts = settings.opts
    yield from host.settings(settings, "master")
    yield from _start(settings)
    yield from host.versions()
    yield from host.clock()
    yield from host.disks(opts)
    yield from host.directories(opts)
    yield from host.private_files(str(opts["pki_dir"]), ["master.pem"])
    yield from _roots(settings)
    yield from signed_trees.check(opts)
    store = list(_store(opts))
    yield from store
    yield from cluster.check(opts)
    running = list(host.process(str(opts["pidfile"]), "master"))
    yield from running
    if running[0].level != GOOD:
        for about, name in _PORTS.items():
            yield from host.free_port(about, str(opts["interface"]), int(opts[name]))
        return
    address = network_interfaces.reached_at(str(opts["interface"]))
    for about, name in _PORTS.items():
        yield from host.port(about, address, int(opts[name]), "look at the master's log", _as_peer(opts))
    yield from _http_api(opts)
    has_store = all(finding.level != ERROR for finding in store)
    yield from _minions(opts, has_store=has_store)


def _start(settings: Settings) -> Iterator[DoctorFinding]:
    """Report settings with which the master would not start."""
    # `cluster.check` reports problems of the cluster settings.
    alone = {**settings.opts, "cluster": False}
    for problem in start_checks.problems(alone, settings.origins):
        yield error("settings", problem, "correct the setting; the master does not start with it")


def _as_peer(opts: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings for a connection to this master, with its certificate and without verification."""
    tls = opts["ssl"]
    return {**opts, "ssl": None if tls is None else {**tls, "cert_reqs": "CERT_NONE"}}


def _http_api(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check the HTTP API of a master whose settings configure one."""
    rest = opts.get("rest_cherrypy")
    if not isinstance(rest, dict) or not rest.get("port"):
        return
    if not opts.get("external_auth"):
        yield warning("HTTP API", "external_auth is empty", "nobody can log in; name users in external_auth")
    if not opts.get("netapi_enable_clients"):
        advice = "list the clients to offer, as [local, local_async, runner, wheel]"
        yield warning("HTTP API", "netapi_enable_clients is empty", advice)
    address = network_interfaces.reached_at(str(rest.get("host") or "0.0.0.0"))
    if host.is_listening(address, int(rest["port"])):
        yield good("HTTP API", f"{address}:{rest['port']} answers")
    else:
        yield warning("HTTP API", f"{address}:{rest['port']} does not answer", "start it: salt-g api -d")


def _roots(settings: Settings) -> Iterator[DoctorFinding]:
    for name in ("file_roots", "pillar_roots"):
        found = settings.opts.get(name) or {}
        roots = [str(path) for paths in found.values() for path in paths]
        if settings.origins.get(name) == "default":
            # Ignore stock's second default directory, which is for SPM packages and hardly ever used.
            roots = roots[:1]
        gone = [path for path in roots if not os.path.isdir(path) and "__env__" not in path]
        if gone:
            yield warning(name, f"missing: {', '.join(gone)}", f"create them, or remove them from {name}")
        else:
            yield good(name, ", ".join(roots) or "none")


def _store(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check the server that keeps the master's data."""
    from salt_g.cache.store_choice import open_store, server_url

    if not server_url(opts):
        return

    try:
        # Open the store only for reading, because a running master may be writing to it.
        store = open_store(opts)
        store.check()
        fsync, commit = (store.read(f"SHOW {name}")[0][0] for name in ("fsync", "synchronous_commit"))
        store.stop()
    except (ConfigError, StoreError) as exc:
        yield error("store", str(exc), "see docs/postgresql.md for how to prepare the database")
        return
    if fsync != "on" or commit == "off":
        said = f"{store.path} has fsync={fsync}, synchronous_commit={commit}"
        yield warning("store", said, "switch both on: what the master acknowledged may be lost otherwise")
    else:
        yield good("store", store.path)


def _minions(opts: Mapping[str, Any], *, has_store: bool) -> Iterator[DoctorFinding]:
    """Ping all minions, which checks publishing and returns."""
    try:
        with JobClient(opts) as client:
            accepted = client.preview("*")
            if not accepted:
                yield warning(
                    "minions", "no key is accepted", "`salt-g key -L` lists them, -a ID accepts one"
                )
                return
            published = client.publish(JobRequest("*", "test.ping"))
            returns = client.collect(published, timeout=PING_TIMEOUT) if published else iter(())
            answered = {returned.id for returned in returns if returned is not None}
    except SaltGError as exc:
        if has_store:
            advice = "run it on the master's host, as a user with permission to publish"
        else:
            advice = "repair the store first; without it the master accepts no jobs"
        yield error("minions", str(exc), advice)
        return
    silent = sorted(set(accepted) - answered)
    if silent:
        more = f" and {len(silent) - _NAMED} more" if len(silent) > _NAMED else ""
        named = ", ".join(silent[:_NAMED]) + more
        yield warning(
            "minions",
            f"{len(silent)} of {len(accepted)} do not answer: {named}",
            "run salt-g doctor on them; if they are gone permanently: salt-g key -d ID",
        )
    else:
        yield good("minions", f"all {len(accepted)} answer")
