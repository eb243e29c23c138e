"""Kernel parameters of the host, now and at every boot, with the names and returns of a minion's `sysctl`."""

from __future__ import annotations

import re
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _editing, _files, _remote

_HEADER = "#\n# Kernel sysctl configuration\n#\n"


def default_config() -> str:
    """Return the path of the host's file of persistent kernel parameters.

    Example::

        salt-g web-01 sysctl.default_config
    """
    has_systemd = _remote.sh("test -d /run/systemd/system").retcode == 0
    return "/etc/sysctl.d/99-salt.conf" if has_systemd else "/etc/sysctl.conf"


def show(config_file: str | bool = False) -> dict[str, str]:
    """Return {name: value} of the running kernel, or of a file.

    Example::

        salt-g web-01 sysctl.show config_file=/etc/sysctl.conf
    """
    if not config_file:
        return _pairs(_remote.sh("sysctl -a 2>/dev/null").out)
    content = _files.path_state(str(config_file), wanted=_files.CONTENT).content or b""
    return _pairs(content.decode("utf-8", "replace"))


def get(name: str) -> str:
    """Return the value of a parameter of the running kernel, or '' if it is unknown.

    Example::

        salt-g web-01 sysctl.get net.ipv4.ip_forward
    """
    return _remote.sh('sysctl -n "$1" 2>/dev/null', name).out.strip()


def assign(name: str, value: Any) -> dict[str, str]:
    """Set a parameter of the running kernel; return {name: value}.

    Example::

        salt-g web-01 sysctl.assign net.ipv4.ip_forward 1
    """
    # A name can use slashes instead of dots, for interfaces that have a dot in their name.
    path = "/proc/sys/" + name.translate(str.maketrans("./", "/."))
    if _remote.sh('test -e "$1"', path).retcode:
        raise CommandExecutionError(f"sysctl {name} does not exist")
    done = _remote.sh('sysctl -w "$1=$2"', name, str(value))
    if done.retcode or "Invalid argument" in done.err:
        raise CommandExecutionError(f"sysctl -w failed: {done.err.strip() or done.out.strip()}")
    return {name: str(value)}


def persist(name: str, value: Any, config: str | None = None) -> str:
    """Set a parameter now and at every boot; return `Updated` or `Already set`.

    Example::

        salt-g web-01 sysctl.persist net.ipv4.ip_forward 1
    """
    config = config or default_config()
    seen = _files.path_state(config, wanted=_files.CONTENT)
    text = (seen.content or b"").decode("utf-8", "surrogateescape") or _HEADER
    is_kept = _plain(_pairs(text).get(name, "")) == _plain(value)
    if is_kept and _plain(get(name)) == _plain(value):
        return "Already set"
    if not is_kept:
        _editing.put(config, seen, _with(text, name, value).encode("utf-8", "surrogateescape"))
    assign(name, value)
    return "Updated"


def _with(text: str, name: str, value: Any) -> str:
    """Return the text of a file with a parameter replaced in place, or added."""
    line = f"{name} = {value}\n"
    rows = text.splitlines(keepends=True)
    places = [at for at, row in enumerate(rows) if row.partition("=")[0].strip() == name]
    for at in places:
        rows[at] = line
    if not places:
        rows += ["" if not rows or rows[-1].endswith("\n") else "\n", line]
    return "".join(rows)


def _pairs(text: str) -> dict[str, str]:
    rows = (row.partition("=") for row in text.splitlines() if not row.strip().startswith(("#", ";")))
    return {name.strip(): value.strip() for name, equals, value in rows if equals}


def _plain(value: Any) -> str:
    """Return a value with white space normalized; the kernel separates values with tabs."""
    return re.sub(r"\s+", "\t", str(value).strip())
