"""Options of `salt-g cmd` and the settings they override."""

from __future__ import annotations

import argparse
from typing import Any

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
from salt_g.cli.target_options import add_targets

#: Options that override the setting of the same name.
_DIRECT = (
    "color",
    "failhard",
    "hard_crash",
    "log_file",
    "log_level",
    "log_level_logfile",
    "output",
    "output_file",
    "output_file_append",
    "output_indent",
    "show_jid",
    "show_timeout",
    "state_output",
    "state_output_diff",
    "timeout",
)

_EPILOG = """\
examples:
  salt-g '*' test.ping
  salt-g -G os:Debian pkg.upgrade -b 10%
  salt-g -L web1,web2 state.apply web test=True --out=json
  salt-g '*' test.ping,test.echo , hello
  salt-g '*' cmd.run 'apt update' --async

exit codes: 0 all minions returned and nothing failed, 1 a minion failed or did not return,
2 the target means nobody or the master refused, 42 words are missing, 64 wrong options or settings.
"""


def build_parser(prog: str = "salt-g cmd") -> OptionParser:
    """Return the parser of `salt-g cmd`, from which completion scripts are generated too."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options] TARGET FUNCTION [ARGUMENT ...]",
        description="Run an execution function on minions.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_what(parser)
    add_targets(parser)
    _add_waiting(parser)
    _add_batches(parser)
    _add_job(parser)
    add_authentication(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("actions")
    group.add_argument("-V", "--versions-report", action="store_true", help="print versions and exit")
    group.add_argument("--config-dump", action="store_true", help="print the master's settings and exit")
    group.add_argument(
        "--preview-target", action="store_true", help="print the targeted minions, and do nothing"
    )
    group.add_argument(
        "-d", "--doc", "--documentation", dest="doc", action="store_true",
        help="print the documentation of a function, a module or of everything",
    )  # fmt: skip
    add_reading(group)
    group.add_argument(
        "--args-separator",
        metavar="TEXT",
        default=",",
        help="separator between the arguments of several functions",
    )


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("waiting and progress")
    group.add_argument(
        "-t",
        "--timeout",
        type=int,
        metavar="S",
        help="seconds before minions are asked whether they still run the job",
    )
    group.add_argument(
        "--async", dest="is_async", action="store_true", help="print the job id, do not wait for returns"
    )
    group.add_argument(
        "-s", "--static", action="store_true", help="print all returns together, once all have arrived"
    )
    group.add_argument("-p", "--progress", action="store_true", help="show how many minions have returned")
    group.add_argument(
        "-v", "--verbose", action="store_true", help="print the job id, and more in the summary"
    )
    group.add_argument("--show-jid", action="store_true", default=None, help="print the job id")
    group.add_argument(
        "--summary", action="store_true", default=None, help="print a summary of the minions at the end"
    )
    shown = group.add_mutually_exclusive_group()
    shown.add_argument(
        "--show-timeout", dest="show_timeout", action="store_true", default=None,
        help="print minions that did not return (as without this)",
    )  # fmt: skip
    shown.add_argument(
        "--hide-timeout", dest="show_timeout", action="store_false", default=None,
        help="do not print minions that did not return",
    )  # fmt: skip
    group.add_argument(
        "--output-diff", dest="state_output_diff", action="store_true", default=None,
        help="print only states that changed something",
    )  # fmt: skip
    group.add_argument(
        "--resources-block",
        action="store_true",
        help="print the state runs of a minion and of its resources as one block, at the end",
    )
    group.add_argument(
        "--hard-crash", action="store_true", default=None, help="print the traceback of errors"
    )


def _add_batches(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("batches")
    group.add_argument(
        "-b",
        "--batch",
        "--batch-size",
        dest="batch",
        metavar="N|N%",
        default="",
        help="number or percentage of minions at a time",
    )
    group.add_argument(
        "--batch-wait", type=float, metavar="S", default=0, help="seconds to wait after each minion's return"
    )
    group.add_argument(
        "--batch-safe-limit",
        type=int,
        metavar="N",
        default=0,
        help="switch to batches if more than this many minions are targeted",
    )
    group.add_argument(
        "--batch-safe-size", metavar="N|N%", default="8", help="batch size with --batch-safe-limit"
    )
    group.add_argument(
        "--failhard", action="store_true", default=None, help="end a batch at the first failure"
    )
    group.add_argument(
        "--subset", type=int, metavar="N", default=0, help="only N of the minions, chosen at random"
    )


def _add_job(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("job data")
    group.add_argument(
        "--return",
        dest="ret",
        metavar="RETURNER,...",
        default="",
        help="returner to which minions also send the result",
    )
    group.add_argument("--return_config", metavar="NAME", default="", help="configuration of the returner")
    group.add_argument("--return_kwargs", metavar="DATA", default="", help="options of the returner (YAML)")
    group.add_argument("--module-executors", metavar="LIST", help="executors to run the function with")
    group.add_argument("--executor-opts", metavar="OPTS", help="options of the executors (YAML)")
    group.add_argument("--metadata", metavar="DATA", default="", help="metadata of the job (YAML)")
    group.add_argument(
        "--start-event", action="store_true", help="minions fire an event when they start the job"
    )


def add_authentication(parser: argparse.ArgumentParser) -> None:
    """Add the options of external authentication."""
    group = parser.add_argument_group("external authentication")
    group.add_argument(
        "-a", "--auth", "--eauth", "--external-auth", dest="eauth", metavar="WAY", default="",
        help="external authentication backend: pam, ldap, ...",
    )  # fmt: skip
    group.add_argument(
        "-T", "--make-token", dest="mktoken", action="store_true", help="store a token for later commands"
    )
    group.add_argument("--username", metavar="NAME", help="user name to log in with")
    group.add_argument("--password", metavar="TEXT", help="password to log in with")


def overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings given on the command line."""
    settings = given(options, *_DIRECT)
    if settings.get("timeout", 1) <= 0:
        del settings["timeout"]
    if options.force_color:
        settings["force_color"] = True
    if options.summary:
        settings["cli_summary"] = True
    if options.state_verbose is not None:
        settings["state_verbose"] = options.state_verbose.lower() in ("true", "yes", "1", "on")
    settings["__cli"] = "salt"
    return settings
