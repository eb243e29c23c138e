"""`salt-g plan`: list, show, approve, apply and remove the plans that the master keeps."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings, error_report, exit_codes
from salt_g.cli.cmd.cmd_options import DIRECT, add_following
from salt_g.cli.options import (
    OptionParser,
    add_authentication,
    add_config,
    add_hard_crash,
    add_job_timeout,
    add_logging,
    add_output,
    add_output_diff,
    add_record,
    chooses_output,
    job_overrides,
)
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import error_of, read_reply
from salt_g.errors import ClientError, SaltGError

if TYPE_CHECKING:
    from salt_g.cli.end_record import EndRecord
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import Load

ACTIONS = ("list", "show", "approve", "apply", "drop")
#: Timeout for the master's answer (s): the master may have to read 16 MiB.
TIMEOUT = 60.0
_EPILOG = """\
examples:
  salt-g 'web*' state.apply web test=True --save web.plan
  salt-g plan show web.plan --diff
  salt-g plan approve 7f3a91
  salt-g plan apply 7f3a91
  salt-g plan list

A plan is named by its id, or by the name given to --save. With `plan_approval: other` on the master, a
plan must be approved by someone other than its maker. salt-g TARGET PLAN --rollout WAVES applies it in waves.
exit codes: 0 success, 1 a minion failed or did not apply its part, 2 the master refused or is away,
64 wrong usage or settings.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g plan`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g plan",
        usage="%(prog)s list [options]\n       %(prog)s show|approve|apply|drop PLAN [options]",
        description="Show, approve and apply plans: test runs kept by the master, applied exactly.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("plan", nargs="?", default="", metavar="PLAN", help="id or name of a plan")
    parser.add_argument("--diff", action="store_true", help="show: all changes, not only their size")
    parser.add_argument(
        "--accept-opaque",
        action="store_true",
        help="apply: also run commands, whose changes no plan can know",
    )
    parser.add_argument(
        "--all-at-once", action="store_true", help="apply: on all minions, even if rollout_guard forbids it"
    )
    group = parser.add_argument_group("waiting and progress")
    add_job_timeout(group)
    add_following(group)
    add_output_diff(group)
    add_record(group)
    add_hard_crash(group)
    add_authentication(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    from salt_g.cli.end_record import CannotRecord, EndRecord

    parser = build_parser()
    options = parser.mixed(words)
    if options.action != "list" and not options.plan:
        parser.error(f"{options.action} needs a PLAN: `salt-g plan list` lists the plans")
    try:
        record = EndRecord(options.out_record)
        with record.writing() as ending:
            try:
                ending.code = _run(options, record)
            except SaltGError as exc:
                ending.error = str(exc)
                ending.code = error_report.fail(parser.prog, exc, crashes=options.hard_crash)
    except CannotRecord as exc:
        return error_report.fail(parser.prog, exc)
    return ending.code


def _run(options: argparse.Namespace, record: EndRecord) -> int:
    opts = client_settings.load(options, job_overrides(options, *DIRECT), asks_for_id=False)
    with JobClient(opts) as client:
        load = _load(options, opts, client)
        if options.action == "apply":
            return _apply(options, opts, client, load, record)
        return _show(options, opts, asked(client, load))


def _load(options: argparse.Namespace, opts: Opts, client: JobClient) -> Load:
    load: Load = {"cmd": f"plan_{options.action}", "plan": options.plan, "user": client.user}
    if options.eauth or options.mktoken:
        from salt_g.cli.cmd.login import credentials

        load["kwargs"] = credentials(options, opts, client.link)
    return load


def asked(client: JobClient, load: Load, *, follow: bool = False) -> dict[str, Any]:
    """Return the master's reply to a plan command; raise ClientError if it refuses."""
    reply = client.link.ask(load, timeout=TIMEOUT, follow=follow)
    if isinstance(reply, dict) and reply.get("error"):
        raise error_of(reply["error"])
    if not isinstance(reply, dict) or not reply:
        raise ClientError("the master does not keep plans: it must run this version of salt-g")
    return reply


def _apply(options: argparse.Namespace, opts: Opts, client: JobClient, load: Load, record: EndRecord) -> int:
    from salt_g.cli.cmd.job_output import JobOutput

    load.update(accept_opaque=options.accept_opaque, all_at_once=options.all_at_once)
    published = read_reply(asked(client, load, follow=True))
    if published is None:
        raise ClientError(f"plan {options.plan}: the master no longer knows any of its minions")
    record.begin(jid=published.jid, fun="state.apply_plan", target=options.plan, minions=published.minions)
    return JobOutput(options, opts, client, record).follow("state.apply_plan", published)


def _show(options: argparse.Namespace, opts: Opts, reply: dict[str, Any]) -> int:
    if chooses_output({"output": opts.get("output"), "output_file": opts.get("output_file")}):
        from salt_g.cli import printing

        return printing.present(reply, None, opts)
    from salt_g.cli.cmd.plan_lines import detail_lines, list_line, summary_lines

    if options.action == "list":
        for one in reply["plans"]:
            print(list_line(one))
        if not reply["plans"]:
            print("no plans are kept", file=sys.stderr)
    elif options.action == "show":
        for line in detail_lines(reply["plan"], reply["documents"], with_text=options.diff):
            print(line)
    elif options.action == "approve":
        for line in summary_lines(reply["plan"]):
            print(line)
        print(f"approved by {reply['plan']['approvals'][-1]['user']}")
    else:
        print(f"plan {reply['plan']['id']} is removed")
    return exit_codes.OK
