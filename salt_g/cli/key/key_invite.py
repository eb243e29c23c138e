"""`salt-g key invite`: create, list and revoke invitations for new minions.

The options of this subcommand have nothing in common with those of stock's `salt-key`.
"""

from __future__ import annotations

import argparse
import os
import pwd
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings, error_report, exit_codes, printing
from salt_g.cli.durations import duration
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.client.keys.key_files import changing_invitations
from salt_g.errors import ConfigError, KeysError, SaltGError, WireError
from salt_g.keys.invitations import Invitation, Invitations
from salt_g.process.command import is_frozen
from salt_g.wire.invitation import LONGEST, MOST_USES, command, place

if TYPE_CHECKING:
    from salt_g.shapes import Opts, OptsDraft

_EPILOG = """\
examples:
  salt-g key invite
  salt-g key invite --id web1 --expires 15m
  salt-g key invite --uses 20 --expires 1d --address master.example.org
  salt-g key invite --list
  salt-g key invite --revoke ABCDEFGH

Run the printed command on the new host, as root. It contains a secret: the first host to run it is admitted.
exit codes: 0 success, 1 failure, 64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g key invite`."""
    parser = OptionParser(
        prog="salt-g key invite",
        usage="%(prog)s [options]",
        description="Print the one command that makes a new host a minion of this master.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("--id", default="", help="the only id it admits (default: any)")
    parser.add_argument("--expires", type=partial(duration, longest=LONGEST), default=3600.0, metavar="TIME",
                        help="how long it is valid: 90s, 15m, 1h, 7d (default: 1h, at most 30d)")  # fmt: skip
    parser.add_argument("--uses", type=int, default=1, metavar="N", help="how many minions it admits (1)")
    parser.add_argument(
        "--address", default="", metavar="HOST[:PORT]", help="address of this master for the minion"
    )
    parser.add_argument("--list", action="store_true", help="list the invitations, without their codes")
    parser.add_argument(
        "--revoke", default="", metavar="NUMBER", help="revoke an invitation, by number or code"
    )
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    from salt_g.wire import ids

    parser = build_parser()
    options = parser.options_only(words)
    if options.id and not ids.is_valid_id(options.id):
        parser.error(f"{options.id!r} is not a valid id: {ids.RULE}")
    if options.id and (why := ids.misread(options.id)):
        parser.error(f"targets would misread the id {options.id!r}: {why}")
    try:
        place(options.address or "localhost", 0)
    except WireError as exc:
        parser.error(f"--address: {exc}")
    if not 1 <= options.uses <= (1 if options.id else MOST_USES):
        parser.error(
            "--id admits a single minion: use --uses 1" if options.id else f"--uses must be 1 to {MOST_USES}"
        )
    try:
        return _run(options)
    except (ConfigError, SaltGError) as exc:
        return error_report.fail(parser.prog, exc)
    except OSError as exc:
        return error_report.fail(parser.prog, exc)


def _run(options: argparse.Namespace) -> int:
    from salt_g import config
    from salt_g.process import privileges

    client_settings.check_directory(options.config_dir)
    opts = config.load("master", options.config_dir, {}, asks_for_id=False).opts
    privileges.become(opts["user"])
    output = given(options, *OUTPUT_SETTINGS)
    with changing_invitations(opts) as invitations:
        return _carry_out(options, opts, invitations, output)


def _carry_out(
    options: argparse.Namespace, opts: OptsDraft, invitations: Invitations, output: OptsDraft
) -> int:
    if options.list:
        return _list(invitations.all(), output)
    if options.revoke:
        return _revoke(invitations, options.revoke.partition("-")[0].lower(), output)
    finger = _finger(opts["pki_dir"])
    code = invitations.make(lifetime=options.expires, id=options.id, uses=options.uses, by=_user())
    line = command(opts, options.address or _address(opts), finger, str(code), id=options.id)
    expires = time.time() + options.expires
    until = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(expires))
    if chooses_output(output):
        made = {"command": line, "id": options.id, "uses": options.uses, "expires": expires}
        return printing.present(made, None, output)
    print(line)
    who = options.id or ("one minion" if options.uses == 1 else f"{options.uses} minions")
    print(f"Run this on the new host, as root: it admits {who} until {until}.", file=sys.stderr)
    if one_file := _one_file():
        print(f"If salt-g is not installed there yet, copy {one_file} and run that.", file=sys.stderr)
    return exit_codes.OK


def _list(invitations: list[Invitation], output: OptsDraft) -> int:
    if chooses_output(output):
        return printing.present([_about(one) for one in invitations], None, output)
    now = time.time()
    for one in invitations:
        end = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(one.expires))
        state = "used up" if not one.left else f"expired {end}" if one.expires <= now else f"until {end}"
        used = f", admitted {', '.join(one.used)}" if one.used else ""
        by = f", by {one.by}" if one.by else ""
        print(f"{one.number}  {state}, for {one.id or 'any id'}, {one.left} of {one.uses} left{used}{by}")
    return exit_codes.OK


def _about(one: Invitation) -> dict[str, Any]:
    """Return an invitation as data, without its code."""
    names = ("number", "id", "uses", "left", "expires", "used", "by")
    return {name: getattr(one, name) for name in names}


def _revoke(invitations: Invitations, number: str, output: OptsDraft) -> int:
    if not invitations.revoke(number):
        raise KeysError(invitations.path, f"has no invitation {number!r}; --list shows them")
    if chooses_output(output):
        return printing.present({"revoked": number}, None, output)
    print(f"Invitation {number} is revoked. Minions it admitted stay; `salt-g key -d ID` deletes a key.")
    return exit_codes.OK


def _finger(pki_dir: str) -> str:
    """Return the fingerprint of the master's key, as used by minions with the default `hash_type`."""
    from salt_g.wire.pem import fingerprint

    path = os.path.join(pki_dir, "master.pub")
    try:
        with open(path, encoding="ascii") as file:
            return fingerprint(file.read())
    except FileNotFoundError:
        raise KeysError(path, "does not exist yet: start the master, which generates its key") from None


def _address(opts: Opts) -> str:
    """Return the address at which minions reach this master: its interface, FQDN or first IP address."""
    import socket

    from salt_g.net import network_interfaces

    interface = str(opts["interface"])
    if not network_interfaces.is_everywhere(interface):
        return interface
    name = socket.getfqdn()
    if "." in name and not name.startswith("localhost"):
        return name
    return next(_own_addresses(), socket.gethostname())


def _own_addresses() -> Any:
    from salt_g.net import network_interfaces

    for about in network_interfaces.interfaces().values():
        for address in about.get("inet", ()):
            if not address["address"].startswith("127."):
                yield address["address"]


def _one_file() -> str:
    """Return the path of the one-file program that `salt-g install` put in place, "" if there is none."""
    if not is_frozen():
        return ""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(sys.executable))), "salt-g")
    return path if os.path.isfile(path) else ""


def _user() -> str:
    """Return the name of the user who runs the command, for the list of invitations."""
    name = os.environ.get("SUDO_USER")
    if name:
        return name
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
