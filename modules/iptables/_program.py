"""Programs and files of each address family."""

from __future__ import annotations

import shlex

from salt_g.api import grains, scratch
from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError
from salt_g.modules._programs import act, output
from salt_g.modules._required import hint
from salt_g.process.command import which
from salt_g.shapes import Completed

_PROGRAMS = {"ipv4": "iptables", "ipv6": "ip6tables"}
#: Files of saved rules: for IPv4, for IPv6.
_FILES = {
    "RedHat": ("/etc/sysconfig/iptables", "/etc/sysconfig/ip6tables"),
    "Arch": ("/etc/iptables/iptables.rules", "/etc/iptables/ip6tables.rules"),
    "Debian": ("/etc/iptables/rules.v4", "/etc/iptables/rules.v6"),
    "Gentoo": ("/var/lib/iptables/rules-save", "/var/lib/ip6tables/rules-save"),
    "Suse": ("/etc/sysconfig/scripts/SuSEfirewall2-custom",) * 2,
    "Void": ("/etc/iptables/iptables.rules", "/etc/iptables/ip6tables.rules"),
    "Alpine": ("/etc/iptables/rules-save", "/etc/iptables/rules6-save"),
    "NILinuxRT": ("/etc/natinst/share/iptables.conf", "/etc/natinst/share/ip6tables.conf"),
}


def program(family: str) -> str:
    """Return the path of a family's program."""
    if family not in _PROGRAMS:
        raise InvocationError(f"iptables has no family {family!r}. Valid: {', '.join(_PROGRAMS)}")
    name = _PROGRAMS[family]
    path = which(name)
    if path is None:
        raise CommandNotFound(f"Command '{name}' cannot be found.{hint(name)}")
    return path


def wait(family: str) -> str:
    """Return the option to wait for the xtables lock, or '' if the program lacks it."""
    key = f"iptables.wait.{family}"
    if key not in scratch:
        scratch[key] = "--wait" if "--wait" in output([program(family), "--help"]) else ""
    known: str = scratch[key]
    return known


def change(family: str, *words: str) -> Completed:
    """Run the program with arguments that change something."""
    return act([program(family), *filter(None, [wait(family)]), *words])


def words_of(rule: object) -> list[str]:
    """Return the arguments of a rule, split as by a shell."""
    try:
        return shlex.split(str(rule))
    except ValueError as exc:
        raise InvocationError(f"rule {rule!r} cannot be read: {exc}") from exc


def saved_file(family: str) -> str:
    """Return the file of saved rules."""
    for grain in ("os_family", "os"):
        if grains.get(grain) in _FILES:
            return _FILES[grains[grain]][family == "ipv6"]
    raise CommandExecutionError(f"Saving iptables to file is not supported on {grains.get('os')}.")
