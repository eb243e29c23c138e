"""`salt-g cluster`: the masters that share a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
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

The masters are those of the setting `store` in `-c DIR`. One is live when its beats, one a second, are seen
in the database, which takes two seconds, or ten if a master is away.
exit codes: 0 all live, 1 a master is away, or the database cannot be reached, 64 wrong options.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g cluster`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s status [options]",
        description="Show the masters that share a database.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=("status",), metavar="status", help="show all masters")
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Show the masters; return the exit code."""
    options = build_parser().mixed(words)
    try:
        found = _status(load("master", options.config_dir, asks_for_id=False).opts)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        printing.present({"masters": found.as_map(), "leader": found.leader}, None, output)
    else:
        _print_table(found)
    return exit_codes.OK if len(found.live) == len(found.members) else 1


def _status(opts: Opts) -> Status:
    from salt_g.cache.store_choice import server_url, store_at

    url = server_url(opts)
    if not url or not opts.get("cluster"):
        raise CommandExecutionError(
            "this master is alone: several need `cluster: true` and `store: postgresql://...` in their files"
        )
    # Imported lazily: a master alone has nothing of this.
    from salt_g.cluster.offline import status

    return status(store_at(url))


def _print_table(found: Status) -> None:
    line = "{:<24} {:<8} {:<20} {:<10} {:>8}  {}"
    print(line.format("MASTER", "STATE", "HOST", "RELEASE", "MINIONS", "LAST BEAT"))
    for one in found.members:
        print(line.format(one.id, found.state(one), one.host, one.release, one.minions, one.seen))
