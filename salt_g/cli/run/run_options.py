"""Options of `salt-g run` and the settings they override."""

from __future__ import annotations

import argparse
from typing import Any

from salt_g.cli.cmd.cmd_options import add_authentication
from salt_g.cli.options import (
    HelpFormatter,
    OptionParser,
    add_config,
    add_logging,
    add_output,
    add_reading,
    add_saltfile,
    given,
)

#: Options that override the setting of the same name.
_DIRECT = (
    "color",
    "hard_crash",
    "log_file",
    "log_level",
    "log_level_logfile",
    "output",
    "output_file",
    "output_file_append",
    "output_indent",
    "skip_grains",
    "state_output",
    "timeout",
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
        formatter_class=HelpFormatter,
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
    group.add_argument("-V", "--versions-report", action="store_true", help="print versions and exit")
    group.add_argument(
        "-d", "--doc", "--documentation", dest="doc", action="store_true",
        help="print the documentation of a runner, of one of its functions, or of all",
    )  # fmt: skip
    add_reading(group)


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("behaviour")
    group.add_argument(
        "-t", "--timeout", type=float, metavar="S", help="seconds that a runner waits for minions"
    )
    group.add_argument(
        "--async", dest="is_async", action="store_true", help="start it, print how to follow it, and exit"
    )
    group.add_argument("--quiet", action="store_true", help="do not print results")
    group.add_argument("--skip-grains", action="store_true", default=None, help="do not gather grains")
    group.add_argument(
        "--hard-crash", action="store_true", default=None, help="print the traceback of errors"
    )


def overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings given on the command line."""
    settings = given(options, *_DIRECT)
    if options.force_color:
        settings["force_color"] = True
    if options.state_verbose is not None:
        settings["state_verbose"] = options.state_verbose.lower() in ("true", "yes", "1", "on")
    settings["__cli"] = "salt-run"
    return settings
