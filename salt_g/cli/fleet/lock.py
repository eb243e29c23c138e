"""`salt-g lock`: lock minions against changes for a limited time, with a reason."""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.durations import duration
from salt_g.cli.fleet.master_command import ask
from salt_g.cli.options import (
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_output,
    chooses_output,
    given,
)
from salt_g.cli.target_options import add_targets, target_of
from salt_g.data.moments import shown_time
from salt_g.errors import SaltGError

if TYPE_CHECKING:
    from salt_g.shapes.replies import LockReply

_PROGRAM = "salt-g lock"
_EPILOG = """\
examples:
  salt-g lock 'db*' --reason 'moving the disks' --until 18:00
  salt-g lock -G role:db --reason 'audit' --until 3d
  salt-g lock list
  salt-g lock drop 1f0c3a9b
  salt-g 'db*' state.apply --despite-lock 1f0c3a9b

Jobs on a locked minion are refused, whoever sends them, unless they only read or test (see lock_exempt). Only
unlimited users and users with the right @lock can lock and drop; to drop the lock of another user takes the
right lock.break. Freezes by date are in the setting change_freezes.
exit codes: 0 success, 1 there is no such lock, 2 the master refused or is away, 64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g lock`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s TARGET --reason TEXT --until TIME\n       %(prog)s list [options]\n"
        "       %(prog)s drop LOCK ...",
        description="Lock minions against changes, list and drop locks.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_targets(parser)
    parser.add_argument("words", nargs="+", metavar="TARGET|list|drop", help="what to lock, or what to do")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for those whose jobs are refused")
    parser.add_argument(
        "--until",
        type=until,
        metavar="TIME",
        help="how long (8h, 3d), or the moment at which it ends (18:00, 2026-12-01, '2026-12-01 18:00')",
    )
    add_authentication(parser)
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    action, *ids = options.words
    try:
        if action == "list" and not ids:
            return _list(options)
        if action == "drop":
            if not ids:
                parser.error("drop needs the id of a lock; `salt-g lock list` shows the ids")
            return _drop(options, ids)
        if ids or not options.reason or not options.until:
            parser.error("a lock needs one TARGET, --reason TEXT and --until TIME")
        return _add(options)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)


def until(word: str, now: datetime.datetime | None = None) -> float:
    """Return the seconds until a lock ends, from a duration, a time of day or a date.

    Raise ArgumentTypeError for a malformed or past time. A time that occurs twice, when clocks are set back,
    means the second occurrence.
    """
    now = now or datetime.datetime.now()
    try:
        return duration(word)
    except argparse.ArgumentTypeError:
        pass
    try:
        if len(word) <= 5:
            end = datetime.datetime.combine(now.date(), datetime.time.fromisoformat(word))
            end += datetime.timedelta(days=1 if _moment(end) <= now.timestamp() else 0)
        else:
            # Python 3.10 does not accept the suffix Z for UTC.
            end = datetime.datetime.fromisoformat(re.sub("[Zz]$", "+00:00", word))
        seconds = _moment(end) - now.timestamp()
    except (ValueError, OverflowError, OSError):
        text = f"{word!r} is not a time such as 8h, 3d, 18:00, 2026-12-01 or '2026-12-01 18:00'"
        raise argparse.ArgumentTypeError(text) from None
    if seconds < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is in the past")
    return seconds


def _moment(end: datetime.datetime) -> float:
    """Return a date and time, local unless it has a time zone, as seconds since the epoch."""
    return max(end.replace(fold=fold).timestamp() for fold in (0, 1))


def _add(options: argparse.Namespace) -> int:
    from salt_g.client.connect import user_name

    load = {
        "cmd": "lock_add",
        "tgt": target_of(options.words[0], options.tgt_type),
        "tgt_type": options.tgt_type,
        "reason": options.reason,
        "seconds": options.until,
        "user": user_name(),
    }
    lock = ask(options, load)["lock"]
    if not _present(options, lock):
        print(line_of(lock))
    return exit_codes.OK


def _list(options: argparse.Namespace) -> int:
    locks = ask(options, {"cmd": "lock_list"})["locks"]
    if not _present(options, locks):
        for lock in locks:
            print(line_of(lock))
        if not locks:
            print("there are no locks", file=sys.stderr)
    return exit_codes.OK


def line_of(lock: LockReply) -> str:
    """Return one line of text that describes a lock."""
    target = lock["target"] if isinstance(lock["target"], str) else ",".join(map(str, lock["target"]))
    kind = "" if lock["tgt_type"] == "glob" else f" ({lock['tgt_type']})"
    when = f"until {shown_time(lock['until'])}"
    if lock["id"].startswith("freeze:"):
        when = f"from {shown_time(lock['since'])} {when}"
    return f"{lock['id']}  {target}{kind}  {lock['owner']}  {when}  {lock['reason']}"


def _drop(options: argparse.Namespace, ids: list[str]) -> int:
    from salt_g.client.connect import user_name

    dropped = ask(options, {"cmd": "lock_drop", "ids": ids, "user": user_name()})["dropped"]
    unknown = [id for id, was_there in dropped.items() if not was_there]
    if not _present(options, dropped):
        for id, was_there in dropped.items():
            if was_there:
                print(f"{id}: dropped")
    for id in unknown:
        print(f"{_PROGRAM}: there is no lock {id}", file=sys.stderr)
    return exit_codes.FAILED if unknown else exit_codes.OK


def _present(options: argparse.Namespace, data: Any) -> bool:
    """Print data with an outputter if the user requested one; return whether data was printed."""
    output = given(options, *OUTPUT_SETTINGS)
    if not chooses_output(output):
        return False
    from salt_g.cli import printing

    printing.present(data, None, output)
    return True
