"""`salt-g run FUNCTION`: run a function on the master; print its output and result.

Stock's `salt-run`. The steps: arguments, settings, connection to the master, runner command, events until
`ret`, exit code. If no master is running, `run_local.py` calls runners that do not need one. The event bus
(`state.event`) is followed from this process, so that no event is sent twice.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings, error_report, exit_codes, saltfile, suggestions
from salt_g.cli.run.run_client import begin, follow, run_silently, runner_load
from salt_g.cli.run.run_options import build_parser, overrides
from salt_g.cli.run.run_output import Printer
from salt_g.client.connect import open_link
from salt_g.client.link import Link
from salt_g.data.jid import is_jid
from salt_g.errors import MasterUnreachable, SaltGError
from salt_g.loader.arguments import parse_words

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import CallEvent

#: Timeout for the first event of an asynchronous runner (s).
_FIRST_WORD = 5.0
_ASYNC = (
    "Running in asynchronous mode. Results of this execution may be collected by attaching to the master"
    " event bus or by examining the master job cache, if configured."
    " This execution is running under tag {tag}"
)
_INTERRUPTED = """
This run's jid is: {jid}
It continues on the master. To look up its result later, run the following command:

salt-g run jobs.lookup_jid {jid}"""


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    # A command ends long before cyclic garbage matters.
    gc.disable()
    parser = build_parser()
    options, rest = saltfile.split(parser, words, "salt-run")
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if options.jid and not is_jid(options.jid):
        parser.error(f"'{options.jid}' is not a valid JID")
    if options.doc and len(rest) > 1:
        parser.error("You can only get documentation for one method at one time")
    try:
        opts = client_settings.load(options, overrides(options), asks_for_id=True)
        printer = Printer(opts, is_quiet=options.quiet)
        if options.doc or not rest:
            return printer.documentation(_documentation(opts, rest[0] if rest else ""))
        return _run(options, opts, printer, rest)
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc, crashes=options.hard_crash)


def _run(options: argparse.Namespace, opts: Opts, printer: Printer, words: list[str]) -> int:
    fun = words[0]
    args, kwargs = parse_words(words[1:], unparsed=options.no_parse.split(","))
    try:
        link = open_link(opts)
    except MasterUnreachable as exc:
        from salt_g.cli.run import run_local

        outcome = run_local.call(opts, printer.progress, fun, args, kwargs, why=exc, jid=options.jid or "")
        return _show(opts, printer, fun, outcome)
    try:
        if fun == "state.event":
            from salt_g.cli.run.run_events import follow_bus

            return follow_bus(link, opts, args, kwargs)
        load = runner_load(fun, args, kwargs)
        if options.timeout:
            load["kwarg"]["timeout"] = options.timeout
        if options.jid:
            load["kwarg"]["jid"] = options.jid
        if options.eauth or options.mktoken:
            from salt_g.cli.cmd.login import credentials

            load.update(credentials(options, opts, link))
        begun = begin(link, load)
        if options.is_async:
            return _leave(link, begun, opts, printer, fun)
        if opts["show_jid"] and not options.quiet:
            printer.show_jid(begun["jid"])
        return _show(opts, printer, fun, _followed(link, begun, opts, printer, fun))
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    finally:
        link.close()


def _leave(link: Link, begun: Mapping[str, Any], opts: Opts, printer: Printer, fun: str) -> int:
    """Print how to follow an asynchronous runner, or the error if it cannot start; return the exit code."""
    first = link.next_event(_FIRST_WORD)
    if first is not None and first.data.get("retcode") == printer.REFUSED:
        return _show(opts, printer, fun, first.data)
    print(_ASYNC.format(tag=begun["tag"]), file=sys.stderr)
    return printer.detached(begun)


def _followed(link: Link, begun: Mapping[str, Any], opts: Opts, printer: Printer, fun: str) -> CallEvent:
    """Print a runner's output until it ends; return its outcome."""
    try:
        return follow(link, begun["tag"], printer.progress)
    except KeyboardInterrupt:
        print(_INTERRUPTED.format(jid=begun["jid"]), file=sys.stderr)
        raise
    except MasterUnreachable as exc:
        from salt_g.cli.cmd import lost_master

        raise MasterUnreachable(f"{exc} {lost_master.of_function(fun, begun['jid'], opts)}") from exc


def _show(opts: Opts, printer: Printer, fun: str, outcome: Mapping[str, Any]) -> int:
    if outcome.get("retcode") == printer.REFUSED:
        code = printer.refused(outcome, _documentation(opts, fun))
        for line in suggestions.runners(fun, outcome.get("return"), opts):
            printer.progress("warning", {"text": line})
        return code
    return printer.result(outcome)


def _documentation(opts: Opts, name: str) -> dict[str, str]:
    """Return {runner: documentation} of the runners whose names begin with `name`."""
    found = run_silently(opts, "doc.runner", [], {}).get("return")
    docs = found if isinstance(found, dict) else {}
    return {fun: text for fun, text in sorted(docs.items()) if fun.startswith(name)}
