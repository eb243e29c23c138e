"""Names and addresses in the hosts file of the host, with the names and returns of a minion's `hosts`.

Shapes: {address: {"aliases": [name], "comment": text}}, {"comment-0": [line]} for comment lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.resources.ssh import _editing, _files

_PATH = "/etc/hosts"


def list_hosts() -> dict[str, Any]:
    """Return the hosts file as a mapping.

    Example::

        salt-g web-01 hosts.list_hosts
    """
    hosts: dict[str, Any] = {}
    for line in map(str.strip, _lines()):
        if line.startswith("#"):
            hosts[f"comment-{sum(name.startswith('comment-') for name in hosts)}"] = [line]
        elif line:
            words, comment = _split(line)
            entry = hosts.setdefault(words[0], {"aliases": []})
            entry["aliases"] += words[1:]
            if comment:
                entry["comment"] = comment
    return hosts


def get_ip(host: str) -> str:
    """Return the address of a name, or '' if it has none.

    Example::

        salt-g web-01 hosts.get_ip localhost
    """
    found = (ip for ip, entry in list_hosts().items() if isinstance(entry, dict) and host in entry["aliases"])
    return next(found, "")


def get_alias(ip: str) -> list[str]:
    """Return the names of an address.

    Example::

        salt-g web-01 hosts.get_alias 127.0.0.1
    """
    entry = list_hosts().get(ip)
    return list(entry["aliases"]) if isinstance(entry, dict) else []


def has_pair(ip: str, alias: str | list[str]) -> bool:
    """Return whether an address has this name, or all these names.

    Example::

        salt-g web-01 hosts.has_pair 127.0.0.1 localhost
    """
    return set(alias if isinstance(alias, list) else [alias]) <= set(get_alias(ip))


def set_host(ip: str, alias: str, comment: str | None = None) -> bool:
    """Set the names (space-separated) of an address; without a name, remove the address.

    Example::

        salt-g web-01 hosts.set_host 192.0.2.1 'web1 web1.example'
    """
    wanted = [_line_of(ip, alias.split(), comment or "")] if alias.strip() else []
    return _edit(ip, lambda is_first, line: wanted if is_first else [], wanted)


def add_host(ip: str, alias: str) -> bool:
    """Add a name to an address.

    Example::

        salt-g web-01 hosts.add_host 192.0.2.1 web1
    """
    names = get_alias(ip)
    return alias in names or set_host(ip, " ".join([*names, alias]), _comment(ip))


def rm_host(ip: str, alias: str) -> bool:
    """Remove a name from an address; an address without names is removed as well.

    Example::

        salt-g web-01 hosts.rm_host 192.0.2.1 web1
    """

    def without(is_first: bool, line: str) -> list[str]:
        words, comment = _split(line)
        left = [word for word in words[1:] if word != alias]
        return [_line_of(ip, left, comment)] if left else []

    return not has_pair(ip, alias) or _edit(ip, without, [])


def set_comment(ip: str, comment: str) -> bool:
    """Set the comment of an address; return whether the address exists.

    Example::

        salt-g web-01 hosts.set_comment 192.0.2.1 'the new web server'
    """
    names = get_alias(ip)
    return bool(names) and set_host(ip, " ".join(names), comment)


def _edit(ip: str, change: Callable[[bool, str], list[str]], otherwise: list[str]) -> bool:
    text = "".join(f"{line}\n" for line in _changed(_lines(), ip, change, otherwise))
    _editing.put(_PATH, _files.path_state(_PATH), text.encode("utf-8", "surrogateescape"))
    return True


def _changed(
    lines: list[str], ip: str, change: Callable[[bool, str], list[str]], otherwise: list[str]
) -> list[str]:
    """Replace each line of an address with `change(is_first, line)`; if it has no line, add `otherwise`."""
    new, found = [], False
    for line in lines:
        if line.split("#")[0].split()[:1] == [ip]:
            new += change(not found, line)
            found = True
        else:
            new.append(line)
    return new if found else new + otherwise


def _lines() -> list[str]:
    content = _files.path_state(_PATH, wanted=_files.CONTENT).content or b""
    return content.decode("utf-8", "surrogateescape").splitlines()


def _comment(ip: str) -> str:
    entry = list_hosts().get(ip)
    return str(entry.get("comment", "")) if isinstance(entry, dict) else ""


def _split(line: str) -> tuple[list[str], str]:
    """Return (address and names, comment)."""
    words, _, comment = line.partition("#")
    return words.split(), comment.strip()


def _line_of(ip: str, names: list[str], comment: str) -> str:
    return f"{ip}\t\t{' '.join(names)}" + (f"\t\t# {comment}" if comment else "")
