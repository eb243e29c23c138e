"""Options of `salt-g run` and the settings they override."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_documentation,
    add_hard_crash,
    add_logging,
    add_output,
    add_reading,
    add_saltfile,
    add_versions_report,
    given,
)

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Options that override the setting of the same name.
_DIRECT = (
    *OUTPUT_SETTINGS,
    *LOG_SETTINGS,
    *("hard_crash", "skip_grains", "timeout"),
)

_EPILOG = """\
examples:
  salt-g run manage.status
  salt-g run jobs.lookup_jid 20260101120000000000
  salt-g run state.orchestrate deploy pillar='{"release": 3}'
  salt-g run state.event 'salt/job/*' pretty=True
  salt-g run -d jobs

exit codes: 0 success, 1 the function failed, 2 the master refused or is not running,
64 wrong options or settings, 254 no such function or wrong arguments.
"""


def build_parser(prog: str = "salt-g run") -> OptionParser:
    """Return the parser of `salt-g run`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options] FUNCTION [ARGUMENT ...]",
        description="Run a function on the master (a runner).",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_what(parser)
    _add_how(parser)
    add_authentication(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("function to run")
    add_versions_report(group)
    add_documentation(group, "a runner, of one of its functions, or of all")
    add_reading(group)


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("behaviour")
    group.add_argument(
        "-t", "--timeout", type=float, metavar="S", help="seconds that a runner waits for minions"
    )
    group.add_argument(
        "--async", dest="is_async", action="store_true", help="start it, print how to follow it, and exit"
    )
    group.add_argument("--jid", metavar="JID", help="job id to use instead of a new one")
    group.add_argument("--quiet", action="store_true", help="do not print results")
    group.add_argument("--skip-grains", action="store_true", default=None, help="do not gather grains")
    add_hard_crash(group)


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    return {**given(options, *_DIRECT), "__cli": "salt-run"}
