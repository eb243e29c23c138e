"""Settings of one host from pillar: parsed, checked, with defaults.

Settings are untrusted data that end up in a configuration of `ssh`; values that could have another meaning
there are rejected.
Units: seconds.
Errors: CommandExecutionError names the setting and never its value, which may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError

#: Settings of a host. `thin_dir`, where stock kept a Python on the host, is accepted without effect.
KNOWN = frozenset(
    ("host", "user", "port", "priv", "passwd", "priv_passwd", "sudo", "sudo_user", "tty", "timeout")
    + ("identities_only", "no_host_keys", "ignore_host_keys", "known_hosts_file", "ssh_options", "keepalive")
    + ("keepalive_interval", "keepalive_count_max", "thin_dir", "proxy_jump", "set_path")
)
#: Settings that can be given once for all hosts, next to `hosts`.
SHARED = KNOWN - {"host"}
_HOST = re.compile(r"[A-Za-z0-9_.:%\[\]][A-Za-z0-9_.:%\[\]-]*")
_USER = re.compile(r"[A-Za-z0-9_.@\\$+][A-Za-z0-9_.@\\$+-]*")
_JUMP = re.compile(
    r"(?:[A-Za-z0-9_.+][A-Za-z0-9_.+-]*@)?(?:\[[0-9A-Fa-f:.%a-z]+\]|[A-Za-z0-9_.][A-Za-z0-9_.-]*)(?::\d{1,5})?"
)
_OPTION = re.compile(r"[A-Za-z0-9]+(?:\s*=\s*|\s+)\S.*")


class Host(NamedTuple):
    """Address, user and credentials of one host."""

    id: str
    host: str
    user: str
    port: int
    priv: str
    passwd: str
    priv_passwd: str
    sudo: bool
    #: User that commands run as through `sudo`; root if empty.
    sudo_user: str
    tty: bool
    timeout: float
    identities_only: bool
    no_host_keys: bool
    ignore_host_keys: bool
    known_hosts_file: str
    ssh_options: tuple[str, ...]
    #: Interval of keepalive probes (s; 0 for none), and how many can stay unanswered.
    keepalive: int
    keepalive_count: int
    proxy_jump: str
    #: PATH of commands; `$PATH` in it stands for the login's PATH.
    set_path: str

    @property
    def place(self) -> str:
        """Address of the host, for messages."""
        return f"{self.user}@{self.host}:{self.port}"


def host_of(id: str, settings: Mapping[str, Any]) -> Host:
    """Return the settings of a host; raises CommandExecutionError for unusable ones."""
    say = _Reader(id, settings)
    is_kept = say.flag("keepalive", True)
    return Host(
        id=id,
        host=say.matching("host", _HOST, required=True),
        user=say.matching("user", _USER) or "root",
        port=say.number("port", 22, 65535),
        priv=say.text("priv"),
        passwd=say.text("passwd"),
        priv_passwd=say.text("priv_passwd"),
        sudo=say.flag("sudo", False),
        sudo_user=say.matching("sudo_user", _USER),
        tty=say.flag("tty", False),
        timeout=float(say.number("timeout", 30, 86400)),
        identities_only=say.flag("identities_only", False),
        no_host_keys=say.flag("no_host_keys", False),
        ignore_host_keys=say.flag("ignore_host_keys", False),
        known_hosts_file=say.text("known_hosts_file"),
        ssh_options=say.options(),
        keepalive=say.number("keepalive_interval", 60, 86400) if is_kept else 0,
        keepalive_count=say.number("keepalive_count_max", 3, 1000),
        proxy_jump=say.jumps(),
        set_path=say.text("set_path"),
    )


class _Reader:
    """Settings of one host, each checked when it is read."""

    def __init__(self, id: str, settings: Mapping[str, Any]) -> None:
        self._id = id
        self._settings = settings

    def text(self, name: str) -> str:
        value = self._settings.get(name)
        if value is None:
            return ""
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            raise self._refusal(name, "is not text")
        text = str(value)
        if any(char in text for char in "\n\r\0"):
            raise self._refusal(name, "has more than one line")
        return text

    def matching(self, name: str, pattern: re.Pattern[str], *, required: bool = False) -> str:
        text = self.text(name)
        if required and not text:
            raise self._refusal(name, "is missing")
        if text and not pattern.fullmatch(text):
            raise self._refusal(name, "contains characters that are not allowed")
        return text

    def number(self, name: str, default: int, most: int) -> int:
        value = self._settings.get(name)
        if value is None:
            return default
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise self._refusal(name, "is not a number") from None
        if not 1 <= number <= most:
            raise self._refusal(name, f"is not between 1 and {most}")
        return number

    def flag(self, name: str, default: bool) -> bool:
        value = self._settings.get(name)
        return default if value is None else value in (True, 1) or str(value).lower() in ("true", "yes", "on")

    def options(self) -> tuple[str, ...]:
        value = self._settings.get("ssh_options") or ()
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, (list, tuple)):
            raise self._refusal("ssh_options", "is not a list")
        options = tuple(str(option).strip() for option in value)
        if not all(_OPTION.fullmatch(option) for option in options):
            raise self._refusal("ssh_options", "has an entry that is not of the form `Name=value`")
        return options

    def jumps(self) -> str:
        value = self._settings.get("proxy_jump") or ()
        hops = value.split(",") if isinstance(value, str) else value
        if not isinstance(hops, (list, tuple)):
            raise self._refusal("proxy_jump", "is neither text nor a list")
        hops = [str(hop).strip() for hop in hops]
        if not all(_JUMP.fullmatch(hop) for hop in hops):
            raise self._refusal("proxy_jump", "has an entry that is not of the form `user@host:port`")
        return ",".join(hops)

    def _refusal(self, name: str, what: str) -> CommandExecutionError:
        return CommandExecutionError(f"the setting {name} of ssh host {self._id} {what}")
