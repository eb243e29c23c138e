"""`salt-g token`: manage tokens for programs that use the HTTP API, each with some of a user's rights."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.auth.scoped_tokens import PRESET
from salt_g.cli import client_settings
from salt_g.cli.durations import duration
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.config import load as load_settings
from salt_g.errors import ClientError, SaltGError

if TYPE_CHECKING:
    from salt_g.shapes.loads import Load

_PROGRAM = "salt-g token"
_EPILOG = """\
examples:
  salt-g token create ci --for ann --allow 'state.apply' --on 'web*' --expires 90d --from 10.0.0.0/8
  salt-g token create report --for ann --allow '@jobs' --allow 'grains.items'
  salt-g token list
  salt-g token revoke 1f0c3a9be2d45877

The token is printed once. It never allows more than its user may do at the moment it is used. Run this as
root or the master's user. Clients send it as `Authorization: Bearer TOKEN`.
exit codes: 0 success, 1 there is no such token, 2 the master refused or is away, 64 wrong usage or settings
"""
#: Timeout for the master's answer (s).
_TIMEOUT = 10.0


def build_parser() -> OptionParser:
    """Return the parser of `salt-g token`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s create NAME --for USER --allow FUNCTION [options]\n"
        "       %(prog)s list\n       %(prog)s revoke ID",
        description="Create, list and revoke tokens for programs that use the HTTP API.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=("create", "list", "revoke"), help="what to do")
    parser.add_argument("name", nargs="?", default="", help="name of the new token, or id of one to revoke")
    parser.add_argument("--for", dest="owner", default="", metavar="USER", help="user of external_auth")
    parser.add_argument("--eauth", default="", metavar="MODULE", help="module of the user's logins")
    parser.add_argument("--allow", action="append", default=[], metavar="FUNCTION",
                        help="pattern of functions, @runner, @wheel or @module; repeatable")  # fmt: skip
    parser.add_argument("--on", default="*", metavar="TARGET", help="minions, as a glob (default: all)")
    parser.add_argument("--expires", type=duration, default=PRESET, metavar="TIME",
                        help="how long it is valid: 12h, 90d (default: 90d, at most 400d)")  # fmt: skip
    parser.add_argument("--from", dest="cidr", action="append", default=[], metavar="CIDR",
                        help="network from which it is accepted; repeatable (default: any)")  # fmt: skip
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    if options.action == "create" and not (options.name and options.owner and options.allow):
        parser.error("create needs NAME, --for USER and --allow FUNCTION")
    if options.action == "revoke" and not options.name:
        parser.error("revoke needs the ID that `salt-g token list` shows")
    try:
        reply = _asked(options, _order(options))
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)
    return _present(options, reply)


def _order(options: argparse.Namespace) -> Load:
    if options.action == "list":
        return {"cmd": "tokens"}
    if options.action == "revoke":
        return {"cmd": "token_revoke", "id": options.name}
    return {
        **{"cmd": "token_make", "label": options.name, "owner": options.owner, "eauth": options.eauth},
        **{"allow": options.allow, "on": options.on, "lifetime": options.expires, "cidr": options.cidr},
    }


def _asked(options: argparse.Namespace, load: Load) -> dict[str, Any]:
    """Return the master's reply to a token command; raise SaltGError if it refuses or is not running."""
    from salt_g.client.unix_link import UnixLink

    client_settings.check_directory(options.config_dir)
    opts = load_settings("master", options.config_dir, asks_for_id=False).opts
    link = UnixLink(opts["sock_dir"])
    try:
        reply = link.ask(load, timeout=_TIMEOUT)
    finally:
        link.close()
    if not isinstance(reply, dict):
        raise ClientError("the master does not know tokens; does it run the same version of salt-g?")
    if "error" in reply:
        problem = reply["error"]
        text = problem if isinstance(problem, str) else "only root and the master's user may do this"
        raise ClientError(text)
    return reply


def _present(options: argparse.Namespace, reply: dict[str, Any]) -> int:
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        printing.present(reply.get("made") or reply.get("tokens", reply), None, output)
    elif options.action == "list":
        _print_table(reply["tokens"])
    elif options.action == "create":
        print(reply["made"]["token"])
        print("It is shown only now; keep it like a password.", file=sys.stderr)
    if reply.get("revoked") is False:
        print(f"{_PROGRAM}: there is no token {options.name}", file=sys.stderr)
        return exit_codes.FAILED
    return exit_codes.OK


def _print_table(tokens: list[dict[str, Any]]) -> None:
    for one in tokens:
        ends = time.strftime("%Y-%m-%d", time.localtime(one["expire"]))
        print(f"{one['id']}  {one['user']}  {one['label']}  until {ends}  {one['limits']}")
