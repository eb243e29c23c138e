"""`salt-g event`: follow the event bus of the master or minion on this machine.

The equivalent of stock's `salt-run state.event`, with the usual output options.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import salt_g.cli.client_settings as client_settings
import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.client.connect import open_link
from salt_g.client.link import Link, MasterEvent
from salt_g.errors import ClientError, ConfigError
from salt_g.regex.name_patterns import matches_name
from salt_g.report.event_lines import event_line

if TYPE_CHECKING:
    from salt_g.cli.watch.minion_events import MinionEventStream
    from salt_g.shapes import Opts

#: Timeout of one wait for an event (s).
_WAIT = 3600.0
_EPILOG = """\
examples:
  salt-g event
  salt-g event --pretty 'salt/job/*/ret/web*'
  salt-g event --count 1 --timeout 60 'salt/minion/*/start' && echo up
  salt-g event --out=yaml 'salt/auth'
  salt-g event --minion

exit codes: 0 the requested number of events, 1 fewer arrived in time, 2 no master (minion) is running.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g event`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g event",
        usage="%(prog)s [options] [TAG ...]",
        description="Print the events of the master, or of the minion, on this machine as they arrive."
        " A TAG is a glob or a regular expression.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("--minion", action="store_true", help="follow the minion of this machine")
    parser.add_argument("-p", "--pretty", action="store_true", help="pretty-print the data, sorted")
    parser.add_argument("--count", type=int, metavar="N", default=0, help="end after N events")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing; useful with --count")
    parser.add_argument(
        "-t", "--timeout", type=float, metavar="S", help="end after this time without an event"
    )
    add_output(parser)
    return parser


def main(words: list[str]) -> int:
    """Print events up to the requested number; return the exit code."""
    from salt_g import config

    parser = build_parser()
    options, tags = parser.split(words)
    shown = given(options, *OUTPUT_SETTINGS)
    try:
        role = "minion" if options.minion else "master"
        client_settings.check_directory(options.config_dir)
        settings = config.load(role, options.config_dir, shown, asks_for_id=options.minion)
        opts = client_settings.begin_file(settings.opts)
        link = _source(options, opts)
    except (ConfigError, ClientError) as exc:
        return error_report.fail(parser.prog, exc)
    try:
        return _follow(link, tags, options, opts)
    except ClientError as exc:
        return error_report.fail(parser.prog, exc)
    finally:
        link.close()


def _source(options: argparse.Namespace, opts: Opts) -> MinionEventStream | Link:
    """Return the source of events, the minion's bus or the master; raise ClientError if it is not running."""
    if options.minion:
        # Imported lazily: most users follow the master.
        from salt_g.cli.watch.minion_events import MinionEventStream

        return MinionEventStream(opts)
    link = open_link(opts)
    link.subscribe("")
    return link


def _follow(link: MinionEventStream | Link, tags: list[str], options: argparse.Namespace, opts: Opts) -> int:
    seen = 0
    for event in _events(link, tags, options.timeout):
        seen += 1
        if not options.quiet and (code := print_event(event, opts, pretty=options.pretty)):
            return code
        if seen == options.count:
            return exit_codes.OK
    return exit_codes.FAILED if options.count or not seen else exit_codes.OK


def _events(link: MinionEventStream | Link, tags: list[str], timeout: float | None) -> Iterator[MasterEvent]:
    """Yield matching events, until none has arrived for `timeout` seconds."""
    patience = float("inf") if timeout is None else timeout
    deadline = time.monotonic() + patience
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return
        event = link.next_event(min(_WAIT, left))
        if event is not None and (not tags or any(matches_name(event.tag, tag) for tag in tags)):
            yield event
            deadline = time.monotonic() + patience


def print_event(event: MasterEvent, opts: Opts, *, pretty: bool) -> int:
    """Print an event as a line, or through the outputter that the user chose; return the exit code."""
    if not chooses_output(opts):
        print(event_line(event.tag, event.data, pretty=pretty), flush=True)
        return exit_codes.OK
    import salt_g.cli.printing as printing

    return printing.present({event.tag: event.data}, None, opts)
