"""Options of `salt-g cmd` and the settings they override."""

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
    add_executors,
    add_explain,
    add_hard_crash,
    add_job_timeout,
    add_logging,
    add_output,
    add_output_diff,
    add_reading,
    add_record,
    add_saltfile,
    add_save,
    add_versions_report,
    filled,
    job_overrides,
)
from salt_g.cli.step_output import add_steps
from salt_g.cli.target_options import add_targets

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Options that override the setting of the same name.
DIRECT = (
    *OUTPUT_SETTINGS,
    *LOG_SETTINGS,
    *("failhard", "hard_crash", "show_jid", "show_timeout", "state_output_diff", "timeout"),
)

_EPILOG = """\
examples:
  salt-g '*' test.ping
  salt-g -G os:Debian pkg.upgrade -b 10%
  salt-g -L web1,web2 state.apply web test=True --out=json
  salt-g 'web*' state.apply web test=True --save web.plan
  salt-g '*' test.ping,test.echo , hello
  salt-g '*' cmd.run 'apt update' --async
  salt-g 'web*' state.apply web --rollout 2,10%,100% --check 'service.status nginx' --stop-at 5% --undo

exit codes: 0 all minions returned and nothing failed, 1 a minion failed or did not return,
2 no minion matches or the master refused, 42 arguments are missing, 64 invalid options or settings.
"""


def build_parser(prog: str = "salt-g cmd") -> OptionParser:
    """Return the parser of `salt-g cmd`, from which completion scripts are generated too."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options] TARGET FUNCTION [ARGUMENT ...]",
        description="Run an execution function on minions.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_what(parser)
    add_targets(parser)
    _add_waiting(parser)
    _add_batches(parser)
    _add_rollout(parser)
    _add_job(parser)
    add_authentication(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("actions")
    add_versions_report(group)
    group.add_argument("--config-dump", action="store_true", help="print the master's settings and exit")
    group.add_argument(
        "--preview-target", action="store_true", help="print the targeted minions, and do nothing"
    )
    add_documentation(group, "a function, of a module, or of all")
    add_reading(group)
    group.add_argument(
        "--args-separator",
        metavar="TEXT",
        default=",",
        help="separator between the arguments of several functions",
    )


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("waiting and progress")
    add_job_timeout(group)
    group.add_argument(
        "--async", dest="is_async", action="store_true", help="print the job id and do not wait for returns"
    )
    group.add_argument(
        "--when-back",
        type=_duration,
        metavar="TIME",
        help="keep the job this long for minions that are away: 12h, 7d; see `salt-g mailbox`",
    )
    group.add_argument(
        "--despite-lock",
        action="append",
        metavar="LOCK",
        help="run despite this lock, which must be your own unless you may break locks; repeatable",
    )
    add_following(group)
    add_output_diff(group)
    add_explain(group)
    add_save(group, "NAME", "on the master")
    add_record(group)
    add_hard_crash(group)


def _duration(word: str) -> float:
    from salt_g.cli.durations import duration  # Imported lazily: for jobs that are kept only.

    return duration(word)


def _soak(word: str) -> float:
    from salt_g.cli.durations import duration
    from salt_g.client.rollout_rules import LONGEST_SOAK

    return duration(word, LONGEST_SOAK)


def add_following(group: argparse._ActionsContainer) -> None:
    """Add the options that control how returns and progress of a job are shown."""
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
        help="print minions that did not return (the default)",
    )  # fmt: skip
    shown.add_argument(
        "--hide-timeout", dest="show_timeout", action="store_false", default=None,
        help="do not print minions that did not return",
    )  # fmt: skip
    group.add_argument(
        "--resources-block",
        action="store_true",
        help="print the state runs of a minion and its resources as one block at the end",
    )
    add_steps(group)


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
        help="switch to batches if more than this many minions are targeted",
    )
    group.add_argument("--batch-safe-size", metavar="N|N%", help="batch size with --batch-safe-limit (8)")
    group.add_argument(
        "--failhard", action="store_true", default=None, help="end a batch at the first failure"
    )
    group.add_argument(
        "--subset", type=int, metavar="N", default=0, help="only N of the minions, chosen at random"
    )


def _add_rollout(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rollouts")
    group.add_argument(
        "--rollout",
        type=filled,
        metavar="WAVES",
        help="run in waves, each up to this total of minions: 2,10%%,100%%; see `salt-g rollout`",
    )
    group.add_argument(
        "--check",
        type=filled,
        action="append",
        metavar="CALL",
        help="function with arguments that must succeed on each wave before the next one; repeatable",
    )
    group.add_argument("--soak", type=_soak, metavar="TIME", help="wait before the checks: 90s, 5m")
    group.add_argument(
        "--stop-at",
        type=filled,
        metavar="N|N%",
        help="stop when more than this many of the minions reached have failed (0)",
    )
    group.add_argument(
        "--undo", action="store_true", help="if failures stop it, revert the states on all its minions"
    )
    group.add_argument(
        "--all-at-once", action="store_true", help="run on all minions although rollout_guard forbids it"
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
    add_executors(group)
    group.add_argument("--metadata", metavar="DATA", default="", help="metadata of the job (YAML)")
    group.add_argument(
        "--start-event", action="store_true", help="minions fire an event when they start the job"
    )


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    settings = job_overrides(options, *DIRECT)
    if options.summary:
        settings["cli_summary"] = True
    settings["__cli"] = "salt"
    return settings
