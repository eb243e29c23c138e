"""`salt-g history`: list changes that state runs made at a path or by a state, with time, user and cause."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.durations import duration
from salt_g.cli.fleet.history_store import open_history, report_more
from salt_g.cli.fleet.id_ranges import shortened
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.errors import SaltGError
from salt_g.formats.ansi import printable

if TYPE_CHECKING:
    from salt_g.report.change_groups import ChangeGroup, DriftGroup

_PROGRAM = "salt-g history"
_EPILOG = """\
examples:
  salt-g history /etc/ssh/sshd_config --since 30d
  salt-g history nginx --diff
  salt-g history /etc/motd --out=json

Needs `history: True` in the master's settings. A change is corrective if the state wanted the same in the run
before: somebody else had changed it. It is intended if the tree, its files or its pillar asked for it, and
unknown for minions that do not report it (stock's). Run this as root or the master's user.
exit codes: 0 changes were found, 1 none, 2 the history cannot be read, 64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g history`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s PATH|ID [options]",
        description="Show what state runs changed at a path, or by a state.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument(
        "name", metavar="PATH|ID", help="name of a state, mostly a path, or its ID in the SLS"
    )
    parser.add_argument(
        "--since", type=duration, default=30 * 86400.0, metavar="TIME", help="how far back (30d)"
    )
    parser.add_argument("--minion", default="*", metavar="GLOB", help="only these minions")
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
            found = history.changes(options.name, since=since)
            report_more(found)
            groups = change_groups.by_job(one for one in found if _fits(one.minion, options.minion))
            texts = {group["text"]: history.text(group["text"]) for group in groups}
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc, other=exit_codes.NOBODY)
    if not groups:
        print(f"{_PROGRAM}: {_nothing(options, since)}", file=sys.stderr)
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        shown = [{**group, "text": texts[group["text"]]} for group in groups]
        return printing.present(shown, None, output) or _code(groups)
    for group in groups:
        print(line_of(group))
        if options.diff:
            print(indented(texts[group["text"]]))
    return _code(groups)


def _nothing(options: argparse.Namespace, since: float) -> str:
    """Return the message for a query that found no changes."""
    on = f" on minions that match {options.minion!r}" if options.minion != "*" else ""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(since))
    return printable(f"no change of {options.name!r}{on} since {when}")


def _code(groups: list[Any]) -> int:
    return exit_codes.OK if groups else exit_codes.FAILED


def line_of(group: ChangeGroup) -> str:
    """Return one line of text that describes the changes of one job."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(group["at"]))
    size = size_of(group)
    test = " test" if group["test"] else ""
    by = f" {group['user']}" if group["user"] else ""
    what = f"{group['fun']}{size} {group['cause']}{test}"
    return printable(f"{when} {shortened(group['minions'])} {what} job {group['jid']}{by}")


def size_of(group: ChangeGroup | DriftGroup) -> str:
    """Return the number of added and removed lines of a diff as ' +1 -1', or '' for other changes."""
    return "" if group["added"] is None else f" +{group['added']} -{group['removed']}"


def indented(text: str) -> str:
    """Return a text indented for output below its heading."""
    return "".join(f"    {printable(line)}\n" for line in _readable(text).splitlines()).rstrip("\n")


def _readable(text: str) -> str:
    """Return a stored change in readable form: a diff unchanged, other changes (JSON) as YAML."""
    import json

    try:
        changes = json.loads(text)
    # A diff, changes that were cut off, or arbitrary text from a minion.
    except (ValueError, RecursionError):
        return text
    if not isinstance(changes, dict):
        return text
    from salt_g import output

    # `file` states report a new file by a text in `diff`, which is printed first and unquoted.
    lines = [changes.pop("diff")] if isinstance(changes.get("diff"), str) else []
    return "\n".join([*lines, *([output.render("yaml", changes, {}).rstrip()] if changes else [])])


def _fits(minion: str, pattern: str) -> bool:
    import fnmatch

    return fnmatch.fnmatchcase(minion, pattern)
