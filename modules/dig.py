"""DNS lookups with the program `dig`.

Shapes: lists of text as `dig +short` prints them; [] when it fails. Source: stock's functions.
"""

from __future__ import annotations

import logging
import re
import socket
from typing import Any

from salt_g.api import call
from salt_g.modules._required import hint

log = logging.getLogger(__name__)

#: Accepted prefix lengths, by family.
PREFIXES = {socket.AF_INET: range(1, 33), socket.AF_INET6: range(8, 129)}
_MECHANISM = re.compile(r"[+~]?(ip[46]|include):(.+)")


def __virtual__() -> bool | tuple[bool, str]:
    from shutil import which  # Imported lazily: it loads the archive formats.

    if which("dig") is None:
        why = "The dig execution module cannot be loaded: the dig binary is not in the path."
        return False, why + hint("dig")
    return True


def check_ip(addr: Any) -> bool:
    """Return whether a text is an address, alone or with a prefix length.

    Example::

        salt-g dig.check_ip 1111:2222::9/64
    """
    address, _, prefix = str(addr).partition("/")
    return any(
        _is_address(address, family) and (not prefix or (prefix.isdigit() and int(prefix) in lengths))
        for family, lengths in PREFIXES.items()
    )


def A(host: str, nameserver: str | None = None) -> list[str]:  # noqa: N802 - the name of the record
    """Return the IPv4 addresses of a host.

    Example::

        salt-g dig.A www.example.com
    """
    return [line for line in _short(host, "A", nameserver) if check_ip(line)]


def AAAA(host: str, nameserver: str | None = None) -> list[str]:  # noqa: N802
    """Return the IPv6 addresses of a host.

    Example::

        salt-g dig.AAAA www.example.com
    """
    return [line for line in _short(host, "AAAA", nameserver) if check_ip(line)]


def PTR(host: str, nameserver: str | None = None) -> list[str]:  # noqa: N802
    """Return the names of an address.

    Example::

        salt-g dig.PTR 192.0.2.7
    """
    return _lines(["-x", str(host)], nameserver)


def CNAME(host: str, nameserver: str | None = None) -> str | list[str]:  # noqa: N802
    """Return the canonical name of a host that is an alias, or '' if it is not an alias.

    Example::

        salt-g dig.CNAME mail.example.com
    """
    return "\n".join(_short(host, "CNAME", nameserver))


def NS(domain: str, resolve: bool = True, nameserver: str | None = None) -> list[str]:  # noqa: N802
    """Return the name servers of a domain, as addresses with `resolve`.

    Example::

        salt-g dig.NS example.com
    """
    servers = _short(domain, "NS", nameserver)
    return [address for server in servers for address in A(server, nameserver)] if resolve else servers


def MX(domain: str, resolve: bool = False, nameserver: str | None = None) -> list[list[str]]:  # noqa: N802
    """Return [[priority, mail server], ...] of a domain; `resolve` gives one address of each server.

    That is an IPv4 address, or an IPv6 address if it has no other. A server without any keeps its name.

    Example::

        salt-g dig.MX example.com
    """
    found = [line.split() for line in _short(domain, "MX", nameserver)]
    if not resolve:
        return found
    # The answer about an alias begins with the name that it stands for.
    servers = [words for words in found if len(words) == 2]
    return [[priority, _address(server, nameserver)] for priority, server in servers]


def TXT(host: str, nameserver: str | None = None) -> list[str]:  # noqa: N802
    """Return the TXT records of a host.

    Example::

        salt-g dig.TXT example.com
    """
    return _short(host, "TXT", nameserver)


def SPF(domain: str, record: str = "SPF", nameserver: str | None = None) -> list[str]:  # noqa: N802
    """Return the networks that may send mail for a domain, included domains followed.

    If a domain has no record of type SPF, its TXT record is used.

    Example::

        salt-g dig.SPF example.com
    """
    answer = " ".join(_short(domain, record, nameserver))
    if not answer and record == "SPF":
        return SPF(domain, "TXT", nameserver)
    words = answer.replace('"', "").split()
    if len(words) < 2 or words[0] != "v=spf1":
        return []
    if words[1].startswith("redirect="):
        return SPF(words[1].removeprefix("redirect="), "SPF", nameserver)
    return [network for word in words[1:] for network in _senders(word, nameserver)]


#: Lower-case aliases, like the names of other functions.
a, aaaa, ptr, cname, ns, mx, spf = A, AAAA, PTR, CNAME, NS, MX, SPF


def _address(host: str, nameserver: str | None) -> str:
    """Return one address of a host, or its name if it has none."""
    return next(iter(A(host, nameserver) or AAAA(host, nameserver)), host)


def _senders(word: str, nameserver: str | None) -> list[str]:
    match = _MECHANISM.match(word)
    if match is None:
        return []
    mechanism, value = match.groups()
    if mechanism == "include":
        return SPF(value, "SPF", nameserver)
    return [value] if check_ip(value) else []


def _short(name: str, record: str, nameserver: str | None) -> list[str]:
    return [line for line in _lines([str(name), record], nameserver) if line]


def _lines(question: list[str], nameserver: str | None) -> list[str]:
    server = [f"@{nameserver}"] if nameserver is not None else []
    answer = call("cmd.run_all", ["dig", "+short", *question, *server], python_shell=False)
    if answer["retcode"] != 0:
        log.warning("dig %s exited with status %s", " ".join(question), answer["retcode"])
        return []
    lines: list[str] = answer["stdout"].split("\n")
    return lines


def _is_address(text: str, family: int) -> bool:
    try:
        socket.inet_pton(family, text)
    except OSError:
        return False
    return True
