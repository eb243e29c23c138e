"""`salt-g mailbox`: manage jobs that wait for absent minions (`salt-g TARGET FUNCTION --when-back TIME`)."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.fleet.master_command import ask, shown_call
from salt_g.cli.options import (
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_output,
    chooses_output,
    given,
)
from salt_g.data.moments import shown_time
from salt_g.errors import SaltGError
from salt_g.formats.ansi import printable

if TYPE_CHECKING:
    from salt_g.shapes.replies import OrderReply

_PROGRAM = "salt-g mailbox"
_EPILOG = """\
examples:
  salt-g 'laptop*' state.apply --when-back 7d
  salt-g mailbox list
  salt-g mailbox drop 20261123120000123456

Each minion that is away gets the job once, when it signs in again, after earlier orders; its return belongs
to a separate job. Users see and drop their own orders, root and the master's user see and drop all orders.
exit codes: 0 success, 1 there is no such order, 2 the master refused or is away, 64 wrong usage or settings
"""
#: Maximum number of minions named in a line.
_NAMED = 5


def build_parser() -> OptionParser:
    """Return the parser of `salt-g mailbox`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s list [options]\n       %(prog)s drop ORDER ...",
        description="List and drop jobs that wait for minions which are away.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=("list", "drop"), help="what to do")
    parser.add_argument("orders", nargs="*", metavar="ORDER", help="number of an order to drop")
    add_authentication(parser)
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    if options.action == "drop" and not options.orders:
        parser.error("drop needs the number of an order that `salt-g mailbox list` shows")
    try:
        if options.action == "drop":
            return _drop(options)
        return _list(options)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)


def _list(options: argparse.Namespace) -> int:
    orders = ask(options, {"cmd": "mailbox_list"})["orders"]
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        return printing.present(orders, None, output)
    for order in orders:
        print(line_of(order))
    if not orders:
        print("no orders are waiting", file=sys.stderr)
    return exit_codes.OK


def line_of(order: OrderReply) -> str:
    """Return one line of text that describes an order."""
    parts = [order["order"], order["user"], shown_call(order["fun"], order["arg"])]
    parts.append(f"until {shown_time(order['until'])}")
    for word, minions in (("waits for", order["waiting"]), ("not returned by", sorted(order["sent"]))):
        if minions:
            more = f" and {len(minions) - _NAMED} more" if len(minions) > _NAMED else ""
            parts.append(f"{word} {', '.join(minions[:_NAMED])}{more}")
    return printable("  ".join(parts))


def _drop(options: argparse.Namespace) -> int:
    dropped = ask(options, {"cmd": "mailbox_drop", "ids": options.orders})["dropped"]
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        printing.present(dropped, None, output)
    unknown = [id for id, number in dropped.items() if not number]
    for id, number in dropped.items():
        if number and not chooses_output(output):
            print(f"{id}: dropped for {number} {'minion' if number == 1 else 'minions'}")
    for id in unknown:
        print(f"{_PROGRAM}: there is no order {id}", file=sys.stderr)
    return exit_codes.FAILED if unknown else exit_codes.OK
