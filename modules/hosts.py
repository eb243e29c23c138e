"""Names and addresses in the hosts file.

The setting `hosts.file` names the file; the default is /etc/hosts.

Shapes: {address: {"aliases": [name], "comment": text}, "comment-0": [comment line]}.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.api import call, has
from salt_g.modules import _text_file

#: The hosts file unless the setting says otherwise.
HOSTS_FILE = "/etc/hosts"


def list_hosts() -> dict[str, Any]:
    """Return the hosts file as {address: {"aliases": [name], "comment": text}, "comment-0": [comment line]}.

    Example::

        salt-g hosts.list_hosts
    """
    hosts: dict[str, Any] = {}
    for line in map(str.strip, _text_file.read(_path()).splitlines()):
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
    """Return the first address of a name, or '' if it has none.

    Example::

        salt-g hosts.get_ip localhost
    """
    entries = ((ip, entry) for ip, entry in list_hosts().items() if isinstance(entry, dict))
    return next((ip for ip, entry in entries if host in entry["aliases"]), "")


def get_alias(ip: str) -> list[str]:
    """Return the names of an address.

    Example::

        salt-g hosts.get_alias 127.0.0.1
    """
    entry = list_hosts().get(ip)
    return entry["aliases"] if isinstance(entry, dict) else []


def has_pair(ip: str, alias: str | list[str]) -> bool:
    """Return whether an address has this name, or all of these names.

    Example::

        salt-g hosts.has_pair 127.0.0.1 localhost
    """
    wanted = alias if isinstance(alias, list) else [alias]
    entry = list_hosts().get(ip)
    return isinstance(entry, dict) and set(wanted) <= set(entry["aliases"])


def set_host(ip: str, alias: str, comment: str | None = None) -> bool:
    """Replace the names and the comment of an address; return True.

    `alias` holds the names, separated by spaces; an empty text removes the address.

    Example::

        salt-g hosts.set_host 192.0.2.1 'web1 web1.example'
    """
    line = f"{ip}\t\t{alias}" + (f"\t\t# {comment}" if comment else "")
    wanted = [line] if alias.strip() else []
    lines, done = [], False
    for line in _text_file.read(_path()).splitlines():
        if _address_of(line) != ip:
            lines.append(line)
        elif not done:
            lines += wanted
            done = True
    _write(lines if done else lines + wanted)
    return True


def add_host(ip: str, alias: str) -> bool:
    """Add a name to an address.

    Example::

        salt-g hosts.add_host 192.0.2.1 web1
    """
    hosts = list_hosts()
    entry = hosts.setdefault(ip, {"aliases": []})
    if alias not in entry["aliases"]:
        entry["aliases"].append(alias)
        _write(_lines_of(hosts))
    return True


def rm_host(ip: str, alias: str) -> bool:
    """Remove a name from an address, and the address if it has no other name.

    Example::

        salt-g hosts.rm_host 192.0.2.1 web1
    """

    def without(line: str) -> list[str]:
        words, comment = _split(line)
        left = [word for word in words[1:] if word != alias]
        return [_line_of(ip, {"aliases": left, "comment": comment})] if left else []

    if has_pair(ip, alias):
        _edit(ip, without)
    return True


def set_comment(ip: str, comment: str) -> bool:
    """Set the comment of an address; return whether the address exists.

    Example::

        salt-g hosts.set_comment 192.0.2.1 'the new web server'
    """
    hosts = list_hosts()
    if ip not in hosts:
        return False
    if hosts[ip].get("comment") != comment:
        hosts[ip]["comment"] = comment
        _write(_lines_of(hosts))
    return True


def _path() -> str:
    path = call("config.option", "hosts.file") if has("config.option") else ""
    return path or HOSTS_FILE


def _split(line: str) -> tuple[list[str], str]:
    """Return (address and names, comment)."""
    words, _, comment = line.partition("#")
    return words.split(), comment.strip()


def _address_of(line: str) -> str:
    words, _ = _split(line)
    return words[0] if words else ""


def _line_of(ip: str, entry: dict[str, Any]) -> str:
    comment = f"\t\t# {entry['comment']}" if entry.get("comment") else ""
    return f"{ip}\t\t{' '.join(entry['aliases'])}{comment}"


def _lines_of(hosts: dict[str, Any]) -> list[str]:
    return [entry[0] if isinstance(entry, list) else _line_of(ip, entry) for ip, entry in hosts.items()]


def _edit(ip: str, change: Callable[[str], list[str]]) -> None:
    lines = _text_file.read(_path()).splitlines()
    _write([new for line in lines for new in (change(line) if _address_of(line) == ip else [line])])


def _write(lines: list[str]) -> None:
    _text_file.rewrite(_path(), "".join(f"{line}\n" for line in lines))
