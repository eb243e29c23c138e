"""`salt-g audit verify`: check the integrity of the audit log, which records decisions about rights."""

from __future__ import annotations

import argparse
import re

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli import client_settings
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.config import load as load_settings
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.telemetry.audit_chain import ChainVerdict, verify

_PROGRAM = "salt-g audit"
_EPILOG = """\
examples:
  salt-g audit verify
  salt-g audit verify --head 1184:9f0c3a9be2d45877...
  salt-g audit verify /mnt/backup/audit.log

Each line of the log (the setting audit_log) has the hash of the line before. A line that was changed, removed
or inserted is named. The log alone does not show whether lines at its end were cut off: store the printed
head elsewhere, and pass it with --head the next time.
exit codes: 0 the chain holds, 1 it is cut, 2 it cannot be read, 64 wrong usage or settings
"""
#: Head of a log: number and hash of its last line; the head of an empty chain has the number 0.
_HEAD = re.compile(r"[0-9]{1,18}:[0-9a-f]{64}")
#: Maximum number of cuts printed.
_SHOWN = 20


def build_parser() -> OptionParser:
    """Return the parser of `salt-g audit`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s verify [FILE] [options]",
        description="Verify the log of decisions about rights.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=("verify",), help="verify the chain of all files")
    parser.add_argument(
        "file", nargs="?", default="", help="the newest file (default: the setting audit_log)"
    )
    parser.add_argument("--head", type=_head, metavar="N:HASH", help="head of an earlier verification")
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Verify the audit log; return the exit code."""
    options = build_parser().mixed(words)
    try:
        found = _verified(options)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc, other=exit_codes.NOBODY)
    output = given(options, *OUTPUT_SETTINGS)
    if chooses_output(output):
        from salt_g.cli import printing

        printing.present(found._asdict(), None, output)
    else:
        _print(found)
    return exit_codes.FAILED if found.cuts else exit_codes.OK


def _head(word: str) -> str:
    """Return the head of a log unchanged; raise ArgumentTypeError if it is malformed.

    An empty head, for example from an unset variable, would verify nothing but report success.
    """
    if not _HEAD.fullmatch(word):
        raise argparse.ArgumentTypeError(f"{word!r} is not a log head such as 1184:9f0c3a9b… (64 digits)")
    return word


def _verified(options: argparse.Namespace) -> ChainVerdict:
    """Return the verdict on the audit log; raise SaltGError if there is no readable log."""
    client_settings.check_directory(options.config_dir)
    opts = load_settings("master", options.config_dir, asks_for_id=False).opts
    path = options.file or opts["audit_log"]
    if not path:
        raise CommandExecutionError("this master writes no audit log; set audit_log to a file, or name one")
    try:
        found = verify(path, files=int(opts["audit_log_files"]), head=options.head or "")
    except OSError as exc:
        raise CommandExecutionError(
            f"{exc.filename or path}: cannot read the audit log: {exc.strerror}"
        ) from exc
    if not found.files:
        raise CommandExecutionError(f"{path}: there is no audit log")
    return found


def _print(found: ChainVerdict) -> None:
    for cut in found.cuts[:_SHOWN]:
        print(cut)
    if len(found.cuts) > _SHOWN:
        print(f"and {len(found.cuts) - _SHOWN} more")
    places = "place" if len(found.cuts) == 1 else "places"
    state = f"cut in {len(found.cuts)} {places}" if found.cuts else "the chain holds"
    number = found.newest.partition(":")[0]
    print(f"{found.lines} decisions ({found.first} to {number}) in {found.files} files: {state}")
    print(f"head {found.newest}")
