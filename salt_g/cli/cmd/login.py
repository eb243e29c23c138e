"""Caller's credentials for a master: user name and password, or a token.

Errors: AuthenticationError for an unknown authentication system, CommandExecutionError if the master refuses
to create a token or no password can be read.
"""

from __future__ import annotations

import argparse
import getpass
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from salt_g.errors import AuthenticationError, CommandExecutionError
from salt_g.process import disk

if TYPE_CHECKING:
    from salt_g.client.link import Link
    from salt_g.shapes import Opts

#: Timeout for the master's check of a password (s).
_TIMEOUT = 60.0


def credentials(options: argparse.Namespace, opts: Opts, link: Link) -> dict[str, str]:
    """Return the caller's stored token (`-T`), or user name and password; prompt for what is missing."""
    kept = token_file(opts)
    if options.mktoken and os.path.exists(kept):
        with open(kept, encoding="ascii") as file:
            return {"token": file.read().strip()}
    _check_system(options.eauth, opts)
    fields = {"eauth": options.eauth, **_asked(options)}
    if not options.mktoken:
        return fields
    reply = link.ask({"cmd": "mk_token", **fields}, timeout=_TIMEOUT)
    if not (isinstance(reply, Mapping) and reply.get("token")):
        raise CommandExecutionError(
            "the master refused to create a token: wrong user name or password, or no permission"
        )
    disk.write_whole(kept, reply["token"])
    return {"token": reply["token"]}


def _check_system(name: str | None, opts: Opts) -> None:
    """Raise AuthenticationError for an unknown authentication system, before prompting for a password.

    The master checks again, since users' modules (`_auth`) are looked up here with the client's settings.
    """
    from salt_g.auth.logins import MODULES
    from salt_g.loader.part_plugins import PartPlugins

    if name is None or name in MODULES:
        return
    plugins = PartPlugins(opts, "auth")
    if plugins.has(f"{name}.auth"):
        return
    reason = plugins.why_missing(f"{name}.auth")
    raise AuthenticationError(
        f'The specified external authentication system "{name}" is not available{reason and f": {reason}"}\n'
        f"Available eauth types: {', '.join(MODULES)}, and users' modules (_auth)"
    )


def _asked(options: argparse.Namespace) -> dict[str, str]:
    try:
        username = options.username or input("username: ") or getpass.getuser()
        return {"username": username, "password": options.password or getpass.getpass("password: ")}
    except EOFError:
        raise CommandExecutionError(
            "no user name or password was entered; give --username and --password, or -T for a stored token"
        ) from None


def token_file(opts: Opts) -> str:
    """Return the path of the file that stores the caller's token."""
    path: str = opts.get("token_file") or os.path.join(os.path.expanduser("~"), ".salt_token")
    return path
