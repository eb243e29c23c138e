"""Default minion id of this machine.

It comes from sources other than config files (a file that caches it, the host name, the name server), and
finding it can be slow.
Source: stock's order: cached id, fully qualified name, host name, `localhost`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import ConfigError

#: File that caches a generated id.
FILE_NAME = "minion_id"
#: Prefixes of host names that do not identify a machine.
_NOT_NAMES = ("localhost", "ip6-", "ipv6-", "127.", "0.0.0.0", "::1", "fe00::", "fe02::", "1.0.0.")


def find_id(
    opts: Mapping[str, Any],
    standard_directories: tuple[str, ...],
    *,
    asks: bool = True,
    name_id: Callable[[], str] | None = None,
) -> tuple[str, bool]:
    """Return the id and whether it is an IP address; query the name server only with `asks`.

    A cached id is looked up next to the config file, then in the standard directories below `root_dir`.
    `name_id` calls the function of the setting `id_function`.
    """
    if opts.get("minion_id_caching", True):
        root = opts.get("root_dir") or "/"
        below_root = [os.path.join(root, directory.lstrip("/")) for directory in standard_directories]
        remembered = _remembered([os.path.dirname(opts["conf_file"]), *below_root])
        if remembered:
            return remembered, False
    name = name_id() if name_id is not None else host_name() if asks else os.uname().nodename
    if opts.get("minion_id_lowercase"):
        name = name.lower()
    name = without_domain(name, opts.get("minion_id_remove_domain", False))
    return name, _is_ipv4(name)


def without_domain(name: str, domain: bool | str) -> str:
    """Return `name` without any domain (True), without this one (a name), or unchanged (False)."""
    if domain is True:
        return name.partition(".")[0]
    if domain and name.lower().endswith(f".{domain}".lower()):
        return name[: -len(domain) - 1]
    return name


def with_domain(name: str, domain: str) -> str:
    """Return `name` with `domain` appended, unless the name ends in the domain or in a dot."""
    return name if name.endswith((domain, ".")) else f"{name}.{domain}"


def _remembered(directories: list[str]) -> str:
    for directory in directories:
        try:
            with open(os.path.join(directory, FILE_NAME), encoding="utf-8-sig") as file:
                name = file.readline().strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, UnicodeDecodeError):
            continue
        except OSError as exc:
            # Falling back to the host name would turn this into another minion.
            raise ConfigError([f"{exc.filename}: cannot be read: {exc.strerror}"]) from exc
        if name and name != "localhost":
            return name
    return ""


def host_name() -> str:
    """Return the full name of this machine, or `localhost`."""
    # Imported lazily: `socket` takes 3 ms to import; querying the name server may take seconds.
    import socket

    names = (socket.getfqdn(socket.gethostname()), os.uname().nodename)
    useful = [name for name in names if name and not name.startswith(_NOT_NAMES)]
    return useful[0] if useful else "localhost"


def _is_ipv4(name: str) -> bool:
    parts = name.split(".")
    return len(parts) == 4 and all(part.isdecimal() and int(part) < 256 for part in parts)
