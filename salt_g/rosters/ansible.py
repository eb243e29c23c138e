"""Roster from an Ansible inventory: a file, a program that prints one, or a directory of these.

Groups can be targets: `-N web`, or `web` if no host has that name. Variables that do not begin with
`ansible_` become settings of the host (`minion_opts`), which `config.get` reads.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._ansible_inventory import Inventory, read_inventory
from salt_g.rosters._files import roster_path
from salt_g.rosters._selection import Hosts, completed, selected

log = logging.getLogger(__name__)

#: {setting of a host: Ansible variables, of which the first one that is set is used}
_NAMES = {
    "host": ("ansible_host", "ansible_ssh_host"),
    "port": ("ansible_port", "ansible_ssh_port"),
    "user": ("ansible_user", "ansible_ssh_user"),
    "passwd": ("ansible_password", "ansible_ssh_password", "ansible_ssh_pass"),
    "priv": ("ansible_ssh_private_key_file", "ansible_private_key_file"),
}
#: Variables with options for the program `ssh`.
_ARGUMENTS = ("ansible_ssh_common_args", "ansible_ssh_extra_args", "ansible_ssh_args")
_SUDO_PASSWORDS = ("ansible_become_password", "ansible_become_pass", "ansible_sudo_pass")


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the hosts of the inventory that a target selects.

    Example::

        salt-g ssh --roster=ansible --roster-file=hosts.ini -N web test.ping
    """
    inventory = read_inventory(roster_path(opts))
    hosts = completed({host: entry(host, inventory.variables(host)) for host in inventory.hosts()})
    if _names_group(tgt, tgt_type, inventory, hosts):
        return {host: hosts[host] for host in inventory.members(str(tgt))}
    return selected(hosts, tgt, tgt_type)


def entry(host: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the roster entry of a host from its variables."""
    found: dict[str, Any] = {"host": host}
    for name, theirs in _NAMES.items():
        value = next((variables[one] for one in theirs if variables.get(one) not in (None, "")), None)
        if value is not None:
            found[name] = value
    password = next((variables[one] for one in _SUDO_PASSWORDS if variables.get(one)), None)
    if password is not None or variables.get("ansible_become") in (True, "true", "yes"):
        found["sudo"] = True
        found.setdefault("passwd", password)
        if variables.get("ansible_become_user") not in (None, "root"):
            found["sudo_user"] = variables["ansible_become_user"]
    options = [one for name in _ARGUMENTS for one in _options(host, str(variables.get(name) or ""))]
    if options:
        found["ssh_options"] = options
    own = {name: value for name, value in variables.items() if not name.startswith("ansible_")}
    return {**found, "minion_opts": own} if own else found


def _options(host: str, text: str) -> Iterator[str]:
    """Yield `Name=value` for each `-o` and `-J` among `ssh` options; log a warning for other options."""
    try:
        words = iter(shlex.split(text))
    except ValueError as exc:
        raise RosterError(f"the ssh options of the host {host} cannot be parsed: {exc}") from exc
    for word in words:
        name, value = word[:2], word[2:]
        if name not in ("-o", "-J"):
            log.warning("host %s: the option %s of ssh has no effect here; write it with -o", host, word)
            continue
        value = value or next(words, "")
        yield value if name == "-o" else f"ProxyJump={value}"


def _names_group(tgt: Any, tgt_type: str, inventory: Inventory, hosts: Hosts) -> bool:
    return tgt_type in ("nodegroup", "glob") and str(tgt) in inventory.groups and str(tgt) not in hosts
