"""Checks of a minion: its key, its masters, and whether they accept it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.config import Settings
from salt_g.doctor import host, signed_trees
from salt_g.doctor.finding import ERROR, GOOD, DoctorFinding, error, good
from salt_g.errors import ConfigError, MasterNotTrusted, NoReply, SaltGError, SignInRefused
from salt_g.minion.connection import masters
from salt_g.minion.settings import MasterListSettings, ResolverSettings
from salt_g.wire import ids

#: How long `connection_summary` waits for a sign-in (s).
_PATIENCE = 5
#: Publish port assumed if the sign-in did not report one.
_PUBLISH_PORT = 4505
_REFUSED = {
    "pending": "accept the key on the master: salt-g key -a {id}",
    "denied": "the master has another key for this id: see `salt-g key -l denied` there",
    "rejected": (
        "run `salt-g key -L` on the master: if listed under Denied, it has another key for this id: either"
        " this key is new (salt-g key -d {id} there, then accept it) or another host uses this id (set"
        " another `id:` here)"
    ),
    "full": "the master has reached its max_minions",
}

_NOT_INVITED = (
    "its invitation is not valid: `salt-g key -L` on the master says why; accept the key there"
    " (salt-g key -a {id}), or reinstall with a new one (salt-g key invite)"
)


def check(settings: Settings) -> Iterator[DoctorFinding]:
    """Run all checks of a minion."""
    opts = settings.opts
    yield from host.settings(settings, "minion")
    yield from host.versions()
    yield from host.clock()
    yield from host.disks(opts)
    yield from host.directories(opts)
    yield _id(str(opts["id"]))
    if opts["file_client"] == "local":
        yield good("master", "none: file_client is local")
        yield from signed_trees.check(opts)
        return
    yield from host.private_files(str(opts["pki_dir"]), ["minion.pem"])
    yield from host.process(str(opts["pidfile"]), "minion")
    yield from connections(opts)


def connections(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check each master of a minion: name, ports, authentication."""
    try:
        names = masters.configured(MasterListSettings.of(opts))
    except ConfigError as exc:
        yield error("master", "; ".join(exc.problems), "set `master:` in the minion's settings")
        return
    for name in names:
        yield from _master(name, opts)


def connection_summary(opts: Mapping[str, Any]) -> str:
    """Try once to connect as a minion that was just started; return the result in one line."""
    findings = list(connections({**opts, "auth_timeout": _PATIENCE, "auth_tries": 1}))
    wrong = next((finding for finding in findings if finding.level == ERROR), None)
    if wrong is not None:
        return f"not connected: {wrong.text}; {wrong.advice}"
    return next((f"connected: {finding.text}" for finding in findings if finding.about == "admission"), "")


def _id(id: str) -> DoctorFinding:
    if not ids.is_valid_id(id):
        return error("id", f"{id!r} is not a valid id", ids.RULE)
    why = ids.misread(id)
    return error("id", f"targets misread {id!r}: {why}", "set another `id:`") if why else good("id", id)


def _master(name: str, opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check one master: its name, its ports, and authentication."""
    try:
        place = masters.place_of(name, MasterListSettings.of(opts))
        address = masters.resolve(place, ResolverSettings.of(opts).once())
    except ConfigError as exc:
        yield error("master", "; ".join(exc.problems), "write it as HOST or HOST:PORT")
        return
    except OSError as exc:
        # Quote the resolver's own error if there is one, because ours repeats the name of the master.
        why = getattr(exc.__cause__, "strerror", None) or exc
        yield error("master", f"no address for {name!r}: {why}", "check DNS, or set `master:` to an address")
        return
    advice = f"is the master running there, is `master: {name}` right, is its ret_port reachable?"
    requests = list(host.port("requests", address, place.port, advice, opts))
    yield from requests
    publish_port, reported_port = int(opts.get("publish_port") or _PUBLISH_PORT), 0
    if all(finding.level == GOOD for finding in requests):
        admission, reported_port, ahead = _admission({**opts, "master": name})
        yield admission
        if ahead is not None:
            yield host.compared_clock(ahead, name)
        if not reported_port:
            # A master reports its publish port only to accepted minions.
            return
        publish_port = reported_port if publish_port == _PUBLISH_PORT else publish_port
    advice = "the master's publish_port must be reachable too"
    if reported_port and publish_port != reported_port:
        advice = f"the master says {reported_port}: remove `publish_port: {publish_port}` from the settings"
    yield from host.port("publications", address, publish_port, advice, opts)


class _Attempt(NamedTuple):
    """Result of authentication, publish port of the master (0: unknown), and clock difference.

    `ahead` is in seconds, negative if our clock is behind, None if the master does not report its time.
    """

    finding: DoctorFinding
    publish_port: int = 0
    ahead: float | None = None


def _admission(opts: Mapping[str, Any]) -> _Attempt:
    """Authenticate once, as the minion does."""
    if not os.access(os.path.join(str(opts["pki_dir"]), "minion.pem"), os.R_OK):
        return _Attempt(
            error("admission", "not tried: the minion's key cannot be read", "run this as the minion's user")
        )
    from salt_g.minion.connection.connect import open_channel
    from salt_g.minion.connection.minion_identity import INVITATION_FILE
    from salt_g.minion.settings import MasterAccessSettings

    try:
        before = time.time()
        channel = open_channel(MasterAccessSettings.of(opts))
        after = time.time()
    except SignInRefused as exc:
        advice = _REFUSED.get(exc.reason, "the master's log says more")
        if exc.reason == "pending" and os.path.exists(os.path.join(str(opts["pki_dir"]), INVITATION_FILE)):
            advice = _NOT_INVITED
        return _Attempt(error("admission", str(exc), advice.format(id=opts["id"])))
    except MasterNotTrusted as exc:
        return _Attempt(error("admission", str(exc), _about_trust(opts)))
    except NoReply as exc:
        advice = "the port is open, but no master answers there: check its log"
        return _Attempt(error("admission", str(exc), advice))
    except (SaltGError, OSError) as exc:
        return _Attempt(error("admission", str(exc), "see the minion's log for details"))
    grant = channel.grant
    channel.close()
    finding = good("admission", f"{opts['master']} accepts {opts['id']}")
    if grant is None:
        return _Attempt(finding)
    return _Attempt(finding, grant.publish_port, _ahead(grant.time, before, after))


def _about_trust(opts: Mapping[str, Any]) -> str:
    """Return advice for a master that is not the trusted one."""
    known = os.path.join(str(opts["pki_dir"]), "minion_master.pub")
    if os.path.exists(known):
        return f"if the master was reinstalled, remove {known}"
    return "compare `master_finger:` with the line master.pub of `salt-g key -F master` on the master"


def _ahead(master_time: float | None, before: float, after: float) -> float | None:
    """Return how far our clock is ahead of a master's time (s); 0 if that lies between request and reply."""
    if master_time is None:
        return None
    return after - master_time if master_time > after else max(before - master_time, 0.0)
