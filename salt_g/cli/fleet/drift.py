"""`salt-g drift`: list changes made on minions outside state runs, which later runs found or corrected."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.durations import duration, shown
from salt_g.cli.fleet.history import indented, size_of
from salt_g.cli.fleet.history_store import open_history, report_more
from salt_g.cli.fleet.id_ranges import shortened
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.errors import SaltGError
from salt_g.formats.ansi import printable

if TYPE_CHECKING:
    from salt_g.report.change_groups import DriftGroup

_PROGRAM = "salt-g drift"
_EPILOG = """\
examples:
  salt-g drift
  salt-g drift --since 1d --diff
  salt-g drift --out=json

Needs `history: True` in the master's settings. A drift is a change of a state that wanted the same in the run
before: `corrected` by a run, or `found` by one with test=True. Run this as root or the master's user.
exit codes: 0 no drift, 1 drift was found, 2 the history cannot be read, 64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g drift`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s [options]",
        description="Show what somebody else changed on minions, as state runs found or corrected it.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument(
        "--since", type=duration, default=7 * 86400.0, metavar="TIME", help="how far back (7d)"
    )
    parser.add_argument("--diff", action="store_true", help="print the diffs too")
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    options = build_parser().mixed(words)
    since = time.time() - options.since
    try:
        # Imported lazily: not needed for help and completion.
        from salt_g.report import change_groups

        with open_history(options.config_dir) as history:
            found = history.drift(since=since)
            report_more(found)
            groups = change_groups.drifts(found)
            untested = history.untested(since)
            texts = {group["text"]: history.text(group["text"]) for group in groups}
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc, other=exit_codes.NOBODY)
    code = exit_codes.FAILED if groups else exit_codes.OK
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        drifts = [{**group, "text": texts[group["text"]]} for group in groups]
        return printing.present({"drift": drifts, "not_tested": untested}, None, output) or code
    _print(options, groups, texts, untested)
    return code


def line_of(group: DriftGroup) -> str:
    """Return one line of text that describes a drift."""
    number = len(group["minions"])
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(group["last"]))
    head = f"{number} minion{'' if number == 1 else 's'}: {group['name']}{size_of(group)}"
    return printable(f"{head} {group['state']} {when}: {shortened(group['minions'])}")


def _print(
    options: argparse.Namespace, groups: list[DriftGroup], texts: dict[bytes, str], untested: list[str]
) -> None:
    for group in groups:
        print(line_of(group))
        if options.diff:
            print(indented(texts[group["text"]]))
    if untested:
        print(f"{len(untested)} not tested for {shown(options.since)}: {shortened(untested)}")
