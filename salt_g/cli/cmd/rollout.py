"""`salt-g rollout`: manage jobs that the master runs in waves (`salt-g TARGET FUNCTION --rollout WAVES`)."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from salt_g.cli import client_settings, error_report, exit_codes
from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_logging,
    add_output,
    chooses_output,
    job_overrides,
)
from salt_g.client.jobs import JobClient
from salt_g.errors import SaltGError

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ClientFields, Load

ACTIONS = ("list", "status", "pause", "resume", "stop")
#: {order: message after the master has accepted it}
_DONE = {"pause": "paused", "resume": "continues", "stop": "stopped; minions that have begun will finish"}
_EPILOG = """\
examples:
  salt-g 'web*' state.apply web --rollout 2,10%,100% --check 'service.status nginx' --stop-at 5% --undo
  salt-g rollout list
  salt-g rollout status 20261123120000123456
  salt-g rollout pause 20261123120000123456
  salt-g rollout resume 20261123120000123456
  salt-g rollout stop 20261123120000123456

A rollout runs on the master: it continues if this command ends, and after a restart of the master. Users see
and control their own rollouts; for all others they need the right to the runners rollout.status,
rollout.pause and so on.
exit codes: 0 success, 1 a minion failed or is away, or there is no such rollout, 2 the master refused or is
away, 64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g rollout`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g rollout",
        usage="%(prog)s list [options]\n       %(prog)s status|pause|resume|stop JID [options]",
        description="List, show, pause, resume and stop jobs that run in waves.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("jid", nargs="?", default="", metavar="JID", help="job id of a rollout")
    add_authentication(parser)
    add_output(parser, has_states=False)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    if options.action != "list" and not options.jid:
        parser.error(f"{options.action} needs a JID: `salt-g rollout list` shows the rollouts")
    try:
        return _run(options)
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc)


def _run(options: argparse.Namespace) -> int:
    settings = job_overrides(options, *OUTPUT_SETTINGS, *LOG_SETTINGS)
    opts = client_settings.load(options, settings, asks_for_id=False)
    with JobClient(opts) as client:
        credentials: ClientFields = {}
        if options.eauth or options.mktoken:
            from salt_g.cli.cmd.login import credentials as login

            credentials = login(options, opts, client.link)
        if options.action == "list":
            return _list(opts, client, credentials)
        if options.action == "status":
            return _status(options.jid, opts, client, credentials)
        return _order(options, opts, client, credentials)


def _list(opts: Opts, client: JobClient, credentials: ClientFields) -> int:
    from salt_g.cli.cmd.rollout_output import asked
    from salt_g.report.rollout_lines import list_line

    found = asked(client, _load("list", client, credentials))["rollouts"]
    if _chooses_output(opts):
        from salt_g.cli import printing

        return printing.present(found, None, opts)
    for one in found:
        print(list_line(one))
    if not found:
        print("there are no rollouts", file=sys.stderr)
    return exit_codes.OK


def _status(jid: str, opts: Opts, client: JobClient, credentials: ClientFields) -> int:
    from salt_g.cli.cmd.rollout_output import ask_status, show

    found = ask_status(client, jid, credentials)
    if found is not None:
        return show(found, opts)
    print(f"salt-g rollout: there is no rollout {jid}, see salt-g rollout list", file=sys.stderr)
    return exit_codes.FAILED


def _order(options: argparse.Namespace, opts: Opts, client: JobClient, credentials: ClientFields) -> int:
    from salt_g.cli.cmd.rollout_output import asked

    load = {**_load("order", client, credentials), "jid": options.jid, "order": options.action}
    is_ordered = bool(asked(client, load)["ordered"])
    if _chooses_output(opts):
        from salt_g.cli import printing

        printing.present({options.jid: is_ordered}, None, opts)
    elif is_ordered:
        print(f"{options.jid}: {_DONE[options.action]}")
    if not is_ordered:
        print(f"salt-g rollout: rollout {options.jid} is not running, or is stopping", file=sys.stderr)
    return exit_codes.OK if is_ordered else exit_codes.FAILED


def _load(name: str, client: JobClient, credentials: ClientFields) -> Load:
    load: Load = {"cmd": f"rollout_{name}", "user": client.user}
    return {**load, "kwargs": dict(credentials)} if credentials else load


def _chooses_output(opts: Opts) -> bool:
    return chooses_output({"output": opts.get("output"), "output_file": opts.get("output_file")})
