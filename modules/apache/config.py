"""Signals and password files of Apache, and configuration generated from data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import act, run
from salt_g.modules.apache._program import control
from salt_g.process import disk

_QUESTIONS = ("configtest", "status", "fullstatus")
_SIGNALS = ("start", "stop", "restart", "graceful", "graceful-stop")
_HEAD = "# This file is managed by Salt.\n"


def signal(signal: str | None = None) -> str | None:
    """Control the server or query its state; return the program's output, None for an unknown word.

    Signals are start, stop, restart, graceful and graceful-stop; queries are configtest, status and
    fullstatus.

    Example::

        salt-g apache.signal restart
    """
    if signal in _QUESTIONS:
        words = [control(), str(signal)]
    elif signal in _SIGNALS:
        words = [control(), "-k", str(signal)]
    else:
        return None
    finished = (run if signal in _QUESTIONS else act)(words)
    said = finished["stderr"].strip() or finished["stdout"].strip()
    return said or f'Command: "{" ".join(words)}" completed successfully!'


def useradd(pwfile: str, user: str, password: str, opts: str = "") -> Any:
    """Add a user to a password file, or change the password; return the result of `cmd.run_all`.

    `opts` are flags of htpasswd.

    Example::

        salt-g apache.useradd /etc/httpd/htpasswd larry badpassword
    """
    return call("webutil.useradd", pwfile, user, password, opts)


def userdel(pwfile: str, user: str) -> Any:
    """Remove a user from a password file; return the output lines, or an error text if the file is missing.

    Example::

        salt-g apache.userdel /etc/httpd/htpasswd larry
    """
    return call("webutil.userdel", pwfile, user)


def config(name: str, config: list[dict[str, Any]], edit: bool = True) -> str:
    """Write data as configuration to the file `name` and return the text; `edit=False` only returns it.

    Each item of the list is a directive and its value; a section is a map (or a list of maps)
    whose `this` is its argument: `{"VirtualHost": {"this": "*:80", "ServerName": "example.com"}}`.

    Example::

        salt-g apache.config /etc/apache2/conf.d/ports.conf config="[{'Listen': '22'}]"
    """
    text = "\n".join(_directive(key, entry[key]) for entry in config for key in list(entry)[:1])
    if edit:
        disk.rewrite(name, f"{_HEAD}{text}".encode())
    return text


def _directive(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        if "this" not in value:
            raise CommandExecutionError(
                f'Apache section container "<{name}>" expects attribute. Specify it using key "this".'
            )
        return _section(name, value["this"], value.items())
    if isinstance(value, list):
        return _list(name, value)
    return f"{name} {value}" if isinstance(value, (str, int, float)) else ""


def _list(name: str, values: list[Any]) -> str:
    """Return the text of a section that is given as a list, or of one directive for each value."""
    places = [item["this"] for item in values if isinstance(item, Mapping) and "this" in item]
    if places:
        return _section(name, places[-1], (pair for item in values for pair in item.items()))
    return "".join(f"{_directive(name, value)}\n" for value in values)


def _section(name: str, argument: Any, items: Any) -> str:
    return "\n".join([f"<{name} {argument}>", *_body(items), f"</{name}>", ""])


def _body(items: Any) -> Iterator[str]:
    return (_directive(str(key), value) for key, value in items if key != "this")
