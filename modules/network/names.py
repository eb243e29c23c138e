"""Names of this machine: reading and setting them."""

from __future__ import annotations

import socket

from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError
from salt_g.modules._text_file import rewrite_durably
from salt_g.modules.network.addresses import ip_addrs, ip_addrs6
from salt_g.net.resolver import names_of


def get_hostname() -> str:
    """Return the host name.

    Example::

        salt-g network.get_hostname
    """
    return socket.gethostname()


def get_fqdn() -> str:
    """Return the fully qualified domain name.

    Example::

        salt-g network.get_fqdn
    """
    return socket.getfqdn()


def fqdns() -> dict[str, list[str]]:
    """Return {"fqdns": names found by reverse lookups of this machine's addresses}.

    Example::

        salt-g network.fqdns
    """
    return {"fqdns": names_of(ip_addrs() + ip_addrs6())}


def mod_hostname(hostname: str | None) -> bool:
    """Set the host name and replace the old one in /etc/hosts; return whether that succeeded.

    The name is stored for the next boot by hostnamectl, and on Debian and Red Hat systems. Raises
    CommandExecutionError when neither hostnamectl nor hostname is installed.

    Example::

        salt-g network.mod_hostname web1.example.net
    """
    if hostname is None:
        return False
    old = _static_hostname()
    if not _set(hostname):
        return False
    _replace_line_words("/etc/hosts", old, hostname)
    if grains["os_family"] == "RedHat":
        _replace_setting("/etc/sysconfig/network", hostname)
    elif grains["os_family"] in ("Debian", "NILinuxRT"):
        rewrite_durably("/etc/hostname", f"{hostname}\n", mode=0o644)
    return True


def _static_hostname() -> str:
    if not call("cmd.which", "hostnamectl"):
        return socket.getfqdn()
    status = call("cmd.run_all", ["hostnamectl", "status"], python_shell=False)
    for line in status["stdout"].splitlines() if status["retcode"] == 0 else []:
        key, _, value = line.partition(":")
        if "Static hostname" in key:
            return str(value.strip())
    return socket.gethostname()


def _set(hostname: str) -> bool:
    if call("cmd.which", "hostnamectl"):
        command = ["hostnamectl", "set-hostname", hostname]
    elif call("cmd.which", "hostname"):
        command = ["hostname", hostname]
    else:
        raise CommandExecutionError("cannot set the host name: neither hostnamectl nor hostname is installed")
    return bool(call("cmd.retcode", command, python_shell=False) == 0)


def _replace_line_words(path: str, old: str, new: str) -> None:
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    rewrite_durably(path, "".join(_with_word(line, old, new) + "\n" for line in lines), mode=0o644)


def _with_word(line: str, old: str, new: str) -> str:
    words = line.split()
    return "\t".join(new if word == old else word for word in words) if old in words else line


def _replace_setting(path: str, hostname: str) -> None:
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    written = (f"HOSTNAME={hostname}\n" if line.startswith("HOSTNAME") else line for line in lines)
    rewrite_durably(path, "".join(written), mode=0o644)
