"""`salt-g match TARGET`: list the minions and resources that a target matches, and with `--explain` why.

Nothing is sent to minions; the answer comes from accepted keys and from the minion data that the master
holds. If no master is running, minion data is read from the store.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.client_settings as client_settings
import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_config,
    add_logging,
    add_output,
    chooses_output,
    given,
)
from salt_g.cli.target_options import add_targets, target_of
from salt_g.errors import ClientError, SaltGError

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ExplainedMatch

_EPILOG = """\
examples:
  salt-g match 'web*'
  salt-g match -G os:Debian
  salt-g match --explain -C 'G@os:Debian and not ( db* or I@role:test )'

exit codes: 0 the target matches, 1 it matches nothing, 2 the master refused, 64 the target is malformed or
options are wrong.
"""
#: Maximum length of a value in a line (characters).
_LONGEST_VALUE = 100


def build_parser(prog: str = "salt-g match") -> OptionParser:
    """Return the parser of `salt-g match`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options] TARGET",
        description="Print the minions and resources that a target matches.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument(
        "--explain",
        action="store_true",
        help="explain for each minion and resource why it matches or does not",
    )
    add_targets(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options, rest = parser.split(words)
    if len(rest) != 1:
        parser.error("exactly one target is required")
    try:
        overrides = given(options, *OUTPUT_SETTINGS, *LOG_SETTINGS)
        opts = client_settings.load(options, overrides, asks_for_id=True)
        found = _ask(opts, options, target_of(rest[0], options.tgt_type))
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc)
    if "Error" in found:
        print(f"{parser.prog}: {found['Error']}", file=sys.stderr)
        return exit_codes.USAGE
    return _show(opts, found, explains=options.explain)


def _ask(opts: Opts, options: argparse.Namespace, tgt: Any) -> dict[str, ExplainedMatch]:
    """Return the result of the runner `match.explain`; raise ClientError if the master refuses."""
    from salt_g.cli.run.run_client import run_silently

    arguments = {"tgt": tgt, "tgt_type": options.tgt_type, "delimiter": options.delimiter}
    outcome = run_silently(opts, "match.explain", [], arguments)
    found = outcome.get("return")
    if not isinstance(found, dict):
        raise ClientError(f"the master cannot explain targets: {str(found).strip()}")
    return found


def _show(opts: Opts, found: dict[str, ExplainedMatch], *, explains: bool) -> int:
    ids = sorted(id for id, answer in found.items() if answer["matched"])
    if chooses_output(opts):
        import salt_g.cli.printing as printing

        code = printing.present(found if explains else ids, None, opts)
    else:
        code = exit_codes.OK
        for line in _explained(found) if explains else ids:
            print(line)
        if not ids:
            accepted = f"{len(found)} accepted keys" if found else "no key is accepted (salt-g key -L)"
            print(f"salt-g match: no minion matches; {accepted}", file=sys.stderr)
    return code or (exit_codes.OK if ids else exit_codes.FAILED)


def _explained(found: Mapping[str, Any]) -> list[str]:
    lines = []
    for id in sorted(found):
        answer = found[id]
        lines.append(f"{id}: {_yes(answer['matched'])}")
        if "note" in answer:
            lines.append(f"    {answer['note']}")
        width = max((len(term["term"]) for term in answer["terms"]), default=0)
        lines += [
            f"    {term['term']:{width}}  {_yes(term['matched']):3}  {_why(term)}" for term in answer["terms"]
        ]
    return lines


def _yes(matched: bool) -> str:
    return "yes" if matched else "no"


def _why(term: Mapping[str, Any]) -> str:
    """Return a description of the value that a term was compared with, including its age."""
    value = _shortened(repr(term["value"])) if "value" in term else ""
    parts = [f"{term['compared']} = {value}" if value else str(term["compared"])]
    if term.get("age") is not None:
        parts.append(f"as of {_duration(term['age'])} ago")
    if "note" in term:
        parts.append(term["note"])
    return ", ".join(parts)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
