"""`salt-g attach JID`: follow a job that was started earlier or by another program.

The output is that of `salt-g cmd`: the returns so far, then each return as it arrives, and the live steps of
state runs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from salt_g.cli import client_settings, error_report, exit_codes
from salt_g.cli.cmd.cmd_options import DIRECT, add_following
from salt_g.cli.cmd.job_output import JobOutput
from salt_g.cli.options import (
    OptionParser,
    add_config,
    add_hard_crash,
    add_job_timeout,
    add_logging,
    add_output,
    add_output_diff,
    job_overrides,
)
from salt_g.client.jobs import JobClient
from salt_g.data import jid as jids
from salt_g.errors import SaltGError

if TYPE_CHECKING:
    import argparse

_EPILOG = """\
examples:
  salt-g attach 20261124193012345678
  salt-g attach 20261124193012345678 --steps json --out=json

exit codes: 0 all minions returned and nothing failed, 1 a minion failed or did not return,
2 there is no such job or the master refused, 64 invalid options or settings.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g attach`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g attach",
        usage="%(prog)s [options] JID",
        description="Follow a job: print its returns so far and those to come, and its live steps.",
        epilog=_EPILOG,
    )
    add_config(parser)
    group = parser.add_argument_group("waiting and progress")
    add_job_timeout(group)
    add_following(group)
    add_output_diff(group)
    add_hard_crash(group)
    add_output(parser)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Follow the job; return the exit code."""
    parser = build_parser()
    options, rest = parser.split(words)
    if len(rest) != 1 or not jids.is_job(rest[0]):
        parser.error("one JID is needed: the 20 digits that `salt-g run jobs.list_jobs` shows")
    try:
        return _run(options, rest[0])
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc, crashes=options.hard_crash)


def _run(options: argparse.Namespace, jid: str) -> int:
    opts = client_settings.load(options, job_overrides(options, *DIRECT), asks_for_id=False)
    with JobClient(opts) as client:
        found = client.attach(jid)
        if found is None:
            text = f"there is no job {jid} in the job cache; salt-g run jobs.list_jobs lists the known ones"
            print(f"salt-g attach: {text}", file=sys.stderr)
            return exit_codes.NOBODY
        return JobOutput(options, opts, client).follow(found.fun, found.published, found.earlier)
