"""Settings of a host for the resource type `ssh`, from the host's roster entry and the master's settings.

Shapes: a roster entry has stock's names, which are also the type's, except for OWN and WITHOUT_EFFECT.
Precedence: the entry, then the command line and the settings `ssh_*`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.resources.ssh._settings import KNOWN
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Names of a roster entry that `salt-g ssh` itself reads.
OWN = frozenset(
    ("mine_functions", "minion_opts", "ssh_pre_flight", "ssh_pre_flight_args", "remote_port_forwards")
)
#: Keys of a roster entry that configure the Python that stock deploys to hosts.
WITHOUT_EFFECT = frozenset(("thin_dir", "cmd_umask", "relenv", "mods", "fsclient", "winrm"))
#: Value of `priv` that selects the keys of an SSH agent.
AGENT = "agent-forwarding"


def host_settings(id: str, entry: Mapping[str, Any], opts: Opts, *, key: str) -> dict[str, Any]:
    """Return the type's settings for one host; `key` is the default private key."""
    unknown = sorted(map(str, entry.keys() - KNOWN - OWN - WITHOUT_EFFECT))
    if unknown:
        log.warning("roster: host %s has unknown settings: %s", id, ", ".join(unknown))
    own = {name: value for name, value in entry.items() if name in KNOWN and value is not None}
    found = {"host": id, **defaults(opts, key=key), **own}
    if found.get("priv") == AGENT:
        del found["priv"]
    found["ssh_options"] = [
        *_listed(opts.get("ssh_options")),
        *_listed(own.get("ssh_options")),
        *forwards(entry.get("remote_port_forwards") or opts.get("ssh_remote_port_forwards")),
    ]
    return found


def minion_opts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in a roster entry for calls on its host, such as `mine_functions`; {} if none."""
    given = entry.get("minion_opts")
    own = dict(given) if isinstance(given, Mapping) else {}
    return {**own, "mine_functions": entry["mine_functions"]} if "mine_functions" in entry else own


def defaults(opts: Opts, *, key: str) -> dict[str, Any]:
    """Return the default settings of hosts, from the command line and the settings `ssh_*`."""
    found = {
        "user": opts.get("ssh_user"),
        "port": opts.get("ssh_port"),
        "passwd": opts.get("ssh_passwd"),
        "priv": opts.get("ssh_priv") or key,
        "priv_passwd": opts.get("ssh_priv_passwd"),
        "timeout": int(float(opts.get("ssh_timeout") or 0)) or None,
        "sudo": opts.get("ssh_sudo"),
        "sudo_user": opts.get("ssh_sudo_user"),
        "identities_only": opts.get("ssh_identities_only"),
        "ignore_host_keys": opts.get("ignore_host_keys"),
        "no_host_keys": opts.get("no_host_keys"),
        "known_hosts_file": opts.get("known_hosts_file"),
        "keepalive": opts.get("ssh_keepalive"),
        "keepalive_interval": opts.get("ssh_keepalive_interval"),
        "keepalive_count_max": opts.get("ssh_keepalive_count_max"),
    }
    return {name: value for name, value in found.items() if value not in (None, "")}


def forwards(value: Any) -> list[str]:
    """Return `RemoteForward` options for forwards as in `-R` (`[bind:]port:host:hostport`, `port`)."""
    return [f"RemoteForward={_forward(word)}" for word in _listed(value)]


def _forward(word: str) -> str:
    parts = word.split(":")
    if len(parts) < 3:
        return word
    return f"{':'.join(parts[:-2])} {':'.join(parts[-2:])}"


def _listed(value: Any) -> Sequence[str]:
    if not value:
        return []
    words = value.split(",") if isinstance(value, str) else value
    return [str(word).strip() for word in words if str(word).strip()]


def home_key() -> str:
    """Return the path of the key in the user's home."""
    return os.path.join(os.path.expanduser("~"), ".ssh", "id_rsa")
