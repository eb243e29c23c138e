"""Who the caller claims to be towards a master: user name and password, or a token made of them.

Why its own file: every command that takes `--eauth` asks in the same words.
Errors: CommandExecutionError when the master does not believe it.
"""

from __future__ import annotations

import argparse
import getpass
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g.errors import CommandExecutionError
from salt_g.process import disk

if TYPE_CHECKING:
    from salt_g.client.link import Link

#: How long the master may take to check a password (s).
_TIMEOUT = 60.0


def credentials(options: argparse.Namespace, opts: Mapping[str, Any], link: Link) -> dict[str, str]:
    """Return the fields that prove who is calling; asks for what the command line leaves out."""
    kept = token_file(opts)
    if options.mktoken and os.path.exists(kept):
        with open(kept, encoding="ascii") as file:
            return {"token": file.read().strip()}
    fields = {"eauth": options.eauth, **_asked(options)}
    if not options.mktoken:
        return fields
    reply = link.ask({"cmd": "mk_token", **fields}, timeout=_TIMEOUT)
    if not (isinstance(reply, Mapping) and reply.get("token")):
        raise CommandExecutionError("the master made no token: user name, password or permission is wrong")
    disk.write_whole(kept, reply["token"])
    return {"token": reply["token"]}


def _asked(options: argparse.Namespace) -> dict[str, str]:
    try:
        username = options.username or input("username: ") or getpass.getuser()
        return {"username": username, "password": options.password or getpass.getpass("password: ")}
    except EOFError:
        raise CommandExecutionError(
            "nobody answered who asks; --username and --password tell it, -T takes a kept token"
        ) from None


def token_file(opts: Mapping[str, Any]) -> str:
    """Return the path of the file that keeps the caller's token."""
    path: str = opts.get("token_file") or os.path.join(os.path.expanduser("~"), ".salt_token")
    return path
