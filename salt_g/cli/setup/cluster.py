"""`salt-g cluster`: show the masters that share a database, or remove one from the list."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.client_settings import check_directory
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.config import load
from salt_g.errors import CommandExecutionError, SaltGError

if TYPE_CHECKING:
    from salt_g.cluster.offline import Status
    from salt_g.shapes import Opts

_PROGRAM = "salt-g cluster"
_EPILOG = """\
examples:
  salt-g cluster status
  salt-g cluster status --out=json
  salt-g cluster forget master-c

The masters are those of the setting `store` in `-c DIR`. One is live when its beats, one a second, are seen
in the database, which takes two seconds, or ten if a master is away. A master that is stopped leaves the
list; one that was killed is away, until it is started again, forgotten, or was not seen for a day.
exit codes: 0 all live, or forgotten, 1 a master is away, none has joined, or the database cannot be reached,
64 wrong options.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g cluster`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s status|forget NAME [options]",
        description="Show the masters that share a database, or forget one that is gone for good.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument(
        "action", choices=("status", "forget"), help="show all masters, or remove one that is away"
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="id of the master to forget")
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Show the masters, or remove one from the list; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    if (options.action == "forget") != bool(options.name):
        parser.error("forget needs NAME, status accepts none")
    try:
        check_directory(options.config_dir)
        url = _url(load("master", options.config_dir, asks_for_id=False).opts)
        return _forget(url, options) if options.name else _show(url, options)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)


def _forget(url: str, options: argparse.Namespace) -> int:
    from salt_g.cluster.offline import forget

    forget(url, options.name)
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        return printing.present({"forgotten": options.name}, None, output)
    print(f"{options.name} is forgotten; if it is running but cut off from the database, restart it")
    return exit_codes.OK


def _show(url: str, options: argparse.Namespace) -> int:
    # Imported lazily: a master outside a cluster does not need it.
    from salt_g.cache.store_choice import store_at
    from salt_g.cluster.offline import status

    found = status(store_at(url))
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        printing.present({"masters": found.as_map(), "leader": found.leader}, None, output)
    elif found.members:
        _print_table(found)
    if not found.members:
        print(f"{_PROGRAM}: no master has joined, or all were stopped: start one", file=sys.stderr)
    is_well = found.members and len(found.live) == len(found.members)
    return exit_codes.OK if is_well else exit_codes.FAILED


def _url(opts: Opts) -> str:
    """Return the URL of the shared database; raise CommandExecutionError if this master is in no cluster."""
    from salt_g.cache.store_choice import server_url

    url = server_url(opts)
    missing = [] if opts.get("cluster") else ["`cluster: true`"]
    missing += [] if url else ["`store: postgresql://...`"]
    if missing:
        raise CommandExecutionError(
            f"this master is not in a cluster: add {' and '.join(missing)} to its settings"
        )
    return url


def _print_table(found: Status) -> None:
    line = "{:<24} {:<8} {:<20} {:<10} {:>8}  {}"
    print(line.format("MASTER", "STATE", "HOST", "RELEASE", "MINIONS", "LAST BEAT"))
    for one in found.members:
        minions = found.minions(one) if one.id in found.live else "-"
        print(line.format(one.id, found.state(one), one.host, one.release, minions, one.seen))
