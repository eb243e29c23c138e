"""Linux hosts without an agent, reached by SSH; they need only a POSIX shell.

Each host has one persistent connection (`_connection.py`), over which the modules in `modules/` and `states/`
send short shell scripts (`_remote.py`).

Pillar::

    resources:
      ssh:
        hosts:
          web-01: {host: 192.0.2.10, user: root, priv: /etc/salt/keys/web-01}
          web-02: {host: 192.0.2.11, user: deploy, sudo: true, proxy_jump: 'admin@192.0.2.1'}
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import resource, scratch
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.resource_model.pillar_settings import declared
from salt_g.resources.ssh import _accounts, _remote, _undo
from salt_g.resources.ssh._facts import parsed, script
from salt_g.resources.ssh._pool import Pool
from salt_g.shapes import GrainsDict
from salt_g.shapes.undo import PathEntry

#: Modules taken from the minion: `pillar` reads the pillar of the running call, which is the resource's.
__fall_through__ = ("pillar",)

log = logging.getLogger(__name__)

#: Time limit of a ping (s).
_PING_TIMEOUT = 10.0


def discover(opts: Mapping[str, Any]) -> list[Any]:
    """Return the ids of the hosts in pillar."""
    hosts = _declared(opts).get("hosts")
    return list(hosts) if isinstance(hosts, Mapping) else []


def init(opts: Mapping[str, Any]) -> None:
    """Initialize the type without connections; each is opened on first use."""
    scratch[_remote.POOL] = Pool(_declared(opts))
    scratch[_remote.TROUBLE] = {}


def initialized() -> bool:
    """Return whether `init` was called."""
    return _remote.POOL in scratch


def shutdown(opts: Mapping[str, Any]) -> None:
    """Close all connections."""
    pool = scratch.pop(_remote.POOL, None)
    if pool is not None:
        pool.close()


def ping() -> bool:
    """Return whether the host responds; if not, `saltutil.resource_errors` gives the reason."""
    try:
        return _remote.sh("echo ping", timeout=min(_PING_TIMEOUT, _remote.host().timeout)).out == "ping\n"
    except CommandNotFound:
        raise
    except CommandExecutionError as exc:
        log.warning("ssh host %s: %s", resource["id"], exc)
        scratch[_remote.TROUBLE][resource["id"]] = str(exc)
        return False


def connect() -> None:
    """Open the connection to the host, for callers that need the reason for a failure."""
    _remote.connect()


def authorize(line: str) -> bool:
    """Add a public key to the user's authorized keys; return whether it was missing."""
    return _accounts.authorize(line)


def raw(command: str) -> dict[str, Any]:
    """Run a command in the user's login shell, without sudo; return `stdout`, `stderr` and `retcode`."""
    done = _remote.execute_at_login(command)
    return {"stdout": done.out, "stderr": done.err, "retcode": done.retcode}


def grains() -> GrainsDict:
    """Return the grains of the host, gathered in one round trip."""
    known = {"resource_type": "ssh", "resource_id": resource["id"]}
    return {**parsed(_remote.output(script())), **known}


def undo_entries(paths: list[str], *, tree: bool, follow: bool, limit: int) -> dict[str, PathEntry]:
    """Return the entries at paths of the host, for `state.undo`; see `_undo.entries`."""
    return _undo.entries(paths, tree=tree, follow=follow, limit=limit)


def undo_remove(path: str) -> None:
    """Remove a file, a link or an empty directory that a state run has created."""
    _undo.remove(path)


def undo_create(path: str, entry: PathEntry, content: bytes, *, is_in_place: bool) -> None:
    """Recreate a file, a link or a directory that a state run has changed or removed."""
    _undo.create(path, entry, content, is_in_place=is_in_place)


def undo_detach(path: str) -> None:
    """Replace a file that has other hard links with a separate copy."""
    _undo.detach(path)


def undo_give(path: str, entry: PathEntry, now: PathEntry) -> None:
    """Restore the owner and mode of an entry, and the modification time of a file."""
    _undo.give(path, entry, now)


def _declared(opts: Mapping[str, Any]) -> Mapping[str, Any]:
    below = declared(opts["pillar"], opts).get("ssh")
    return below if isinstance(below, Mapping) else {}
