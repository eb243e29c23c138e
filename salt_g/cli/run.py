"""`salt-g run FUNCTION`: run a function on the master and print what it says and returns.

Stock's `salt-run`. The order is: words, settings, the link to the master, the runner command, events until
`ret`, exit code. Where no master runs, `run_here.py` calls what needs none; the event bus
(`state.event`) is followed from here, so that no event is sent twice.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Mapping
from typing import Any

from salt_g.cli import exits
from salt_g.cli.run_options import build_parser, overrides
from salt_g.cli.run_shown import Printer
from salt_g.client.link import Link
from salt_g.client.opening import open_link
from salt_g.client.publishing import error_of
from salt_g.errors import ClientError, ConfigError, MasterUnreachable, SaltGError
from salt_g.loader.arguments import parse_words

#: How long the master may take to begin (s).
_BEGIN_TIMEOUT = 30.0
#: How long one wait for an event is (s).
_WAIT = 3600.0
_ASYNC = (
    "Running in asynchronous mode. Results of this execution may be collected by attaching to the master"
    " event bus or by examining the master job cache, if configured."
    " This execution is running under tag {tag}"
)
_INTERRUPTED = """
This run's jid is: {jid}
It goes on, on the master. To look up its result later, run the following command:

salt-g run jobs.lookup_jid {jid}"""


def main(words: list[str]) -> int:
    """Do what the words ask for; return the exit code."""
    # A command lives shorter than garbage in circles could matter.
    gc.disable()
    parser = build_parser()
    options, rest = parser.split(words)
    if options.versions_report:
        return _print_versions()
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if options.doc and len(rest) > 1:
        parser.error("You can only get documentation for one method at one time")
    try:
        opts = _settings(options)
        printer = Printer(opts, is_quiet=options.quiet)
        if options.doc or not rest:
            return _print_docs(opts, printer, rest[0] if rest else "")
        return _run(options, opts, printer, rest)
    except ConfigError as exc:
        print("\n".join(exc.problems), file=sys.stderr)
        return exits.USAGE
    except SaltGError as exc:
        if options.hard_crash:
            raise
        print(f"{parser.prog}: {exc}", file=sys.stderr)
        return exits.NOBODY if isinstance(exc, ClientError) else exits.FAILED


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    from salt_g import config, log

    settings = config.load("master", options.config_dir, overrides(options))
    if options.log_level or options.log_file or settings.warnings:
        import logging

        log.set_up(settings.opts)
        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)
    return settings.opts


def _run(options: argparse.Namespace, opts: Mapping[str, Any], printer: Printer, words: list[str]) -> int:
    fun = words[0]
    args, kwargs = parse_words(words[1:], unparsed=options.no_parse.split(","))
    try:
        link = open_link(opts)
    except MasterUnreachable as exc:
        from salt_g.cli import run_here

        return run_here.run(opts, printer, fun, args, kwargs, why=exc)
    try:
        if fun == "state.event":
            from salt_g.cli.run_events import follow

            return follow(link, args, kwargs)
        load: dict[str, Any] = {"cmd": "runner", "fun": fun, "kwarg": {"arg": args, "kwarg": kwargs}}
        if options.timeout:
            load["kwarg"]["timeout"] = options.timeout
        if options.eauth or options.mktoken:
            from salt_g.cli.login import credentials

            load.update(credentials(options, opts, link))
        return _start(link, load, printer, is_async=options.is_async)
    finally:
        link.close()


def _start(link: Link, load: dict[str, Any], printer: Printer, *, is_async: bool) -> int:
    reply = _ask(link, load, follow=not is_async)
    if is_async:
        print(_ASYNC.format(tag=reply["tag"]), file=sys.stderr)
        return exits.OK
    try:
        outcome = _follow(link, reply["tag"], printer)
    except KeyboardInterrupt:
        print(_INTERRUPTED.format(jid=reply["jid"]), file=sys.stderr)
        return exits.INTERRUPTED
    if outcome.get("retcode") == printer.REFUSED:
        docs = _documentation(link, load["fun"])
        return printer.refused(outcome, docs)
    return printer.result(outcome)


def _ask(link: Link, load: dict[str, Any], *, follow: bool) -> dict[str, Any]:
    """Begin a runner; return {tag, jid}. Raises ClientError when the master refuses."""
    reply = link.ask(load, timeout=_BEGIN_TIMEOUT, follow=follow)
    if isinstance(reply, dict) and "tag" in reply:
        return reply
    error = reply.get("error") if isinstance(reply, dict) else reply
    raise error_of(error or "the master gave no answer that makes sense to a request to run a function")


def _follow(link: Link, tag: str, printer: Printer) -> dict[str, Any]:
    """Print what a runner says until it has ended; return its outcome."""
    while True:
        event = link.next_event(_WAIT)
        if event is None or not event.tag.startswith(f"{tag}/"):
            continue
        suffix = event.tag[len(tag) + 1 :]
        if suffix == "ret":
            return event.data
        printer.progress(suffix, event.data)


def _documentation(link: Link, name: str) -> dict[str, str]:
    """Return the documentation of what begins with a name, by function."""
    reply = _ask(link, {"cmd": "runner", "fun": "doc.runner", "kwarg": {"arg": [], "kwarg": {}}}, follow=True)
    outcome = _follow(link, reply["tag"], Printer({}, is_quiet=True))
    found = outcome.get("return")
    docs = found if isinstance(found, dict) else {}
    return {fun: text for fun, text in sorted(docs.items()) if fun.startswith(name)}


def _print_docs(opts: Mapping[str, Any], printer: Printer, name: str) -> int:
    try:
        link = open_link(opts)
    except MasterUnreachable:
        from salt_g.cli import run_here

        docs = run_here.documentation(opts, name)
    else:
        docs = _documentation(link, name)
        link.close()
    return printer.documentation(docs)


def _print_versions() -> int:
    from salt_g.versions_report import report

    print(report())
    return exits.OK
