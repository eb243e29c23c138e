"""`salt-g call FUNCTION`, and the short form `salt-g FUNCTION`: run an execution function on this host.

Stock's `salt-call`. The steps: arguments, settings, call context, function, output, exit code.
A single function in its own process needs no hub, so gevent (95 ms to import and patch) is not loaded.
Parallel states run in the standard library's threads, which only a daemon patches.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes, interrupt, saltfile
from salt_g.cli.call.call_options import build_parser, overrides
from salt_g.cli.options import explained

if TYPE_CHECKING:
    from salt_g.api import CallContext
    from salt_g.cli.call.call_resources import Answers
    from salt_g.cli.call.invocation import Returned
    from salt_g.cli.end_record import EndRecord
    from salt_g.config import Settings
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ReturnLoad


#: Garbage collector threshold, in allocations (Python's default: 700). The many objects of a call live until
#: the call ends, so collections would cost a tenth of a state run and free nothing. A run of 1,000 states
#: triggers none at this threshold; at most some 10 MB of garbage accumulate.
_GARBAGE_THRESHOLD = 100_000


def main(words: list[str]) -> int:
    """Run the function given on the command line; return the exit code."""
    gc.set_threshold(_GARBAGE_THRESHOLD, 10, 100)
    interrupt.end_with_processes()
    parser = build_parser()
    options, rest = saltfile.split(parser, words, "salt-call")
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if not (rest or options.grains_run or options.doc):
        parser.error("Requires function, --grains or --doc")
    if options.show_secrets:
        _require_root(parser)
    if options.doc and len(rest) > 1:
        parser.error("You can only get documentation for one method at one time")
    if options.explain:
        rest = explained(parser, rest)
    if options.save:
        from salt_g.cli.call.call_plan import planning

        rest = planning(parser, options, rest)
    if options.out_record:
        return _run_recorded(parser, options, rest)
    return _run_or_profile(options, rest, None)


def _require_root(parser: argparse.ArgumentParser) -> None:
    import os

    if os.geteuid() != 0:
        parser.error("--show-secrets is only for root: use sudo, or leave the option out")


def _run_recorded(parser: argparse.ArgumentParser, options: argparse.Namespace, words: list[str]) -> int:
    """Run the call and write its end record; return the exit code."""
    from salt_g.cli import error_report
    from salt_g.cli.end_record import CannotRecord, EndRecord

    try:
        record = EndRecord(options.out_record)
        with record.writing() as ending:
            try:
                ending.code = _run_or_profile(options, words, record)
            except interrupt.Terminated as exc:
                record.ended_here(exc.number)
                raise
            ending.error = record.error
    except CannotRecord as exc:
        return error_report.fail(parser.prog, exc)
    return ending.code


def _run_or_profile(options: argparse.Namespace, words: list[str], record: EndRecord | None) -> int:
    run = _profiled if options.enable_profiling else _run
    return run(options, words, record)


def _profiled(options: argparse.Namespace, words: list[str], record: EndRecord | None) -> int:
    import cProfile
    import os

    from salt_g.data import jid

    os.makedirs(options.profiling_path, exist_ok=True)
    profile = cProfile.Profile()
    try:
        return profile.runcall(_run, options, words, record)
    finally:
        profile.dump_stats(os.path.join(options.profiling_path, f"salt-g-call-{jid.make()}.pstats"))


def _run(options: argparse.Namespace, words: list[str], record: EndRecord | None) -> int:
    from salt_g import api, config
    from salt_g.cli.settings_plugins import LocalSettingsPlugins
    from salt_g.errors import ConfigError
    from salt_g.minion import minion_context as contexts
    from salt_g.telemetry import log

    try:
        settings = config.load(
            "minion", options.config_dir, overrides(options), plugins=LocalSettingsPlugins()
        )
    except ConfigError as exc:
        from salt_g.cli.error_report import fail

        if record:
            record.error = "\n".join(exc.problems)
        return fail("salt-g call", exc)
    log.set_up(settings.opts)
    settings.log_files()
    config.remember_id(settings)
    _warn(settings)
    if options.user:
        _become(options.user)
    is_local = options.local or contexts.is_masterless(settings)
    if options.resources and is_local:
        from salt_g.process import monkey_patch

        # Resources are called concurrently, each with a timeout; a call with a master has a hub anyway.
        monkey_patch.patch()
    with _context(settings, words, is_local=is_local) as made, api.use(made) as context:
        if options.doc:
            return _print_docs(context, words)
        if options.grains_run:
            return _print(context, {"local": dict(context.grains)})
        if options.resources:
            return _call_resources(context, options, words, is_local=is_local, record=record)
        return _call(context, options, words, is_local=is_local, record=record)


@contextlib.contextmanager
def _context(settings: Settings, words: list[str], *, is_local: bool) -> Iterator[CallContext]:
    """Yield the call's context; with a master, close the connection afterwards."""
    if is_local:
        from salt_g.local_call import local_context
        from salt_g.minion.minion_context import own_master_services

        context = local_context(settings.opts)
        # The minion daemon may be running on this host and can accept events.
        further = own_master_services(settings.opts)
        offered = context.services.replace(events=partial(_bus_of, settings.opts), **further)
        yield context.replace(services=offered)
        return
    from salt_g.cli.call import call_master  # Imported lazily: loads the hub, sockets and cryptography.

    with call_master.context_of(settings, words[0] if words else "") as context:
        yield context


def _bus_of(opts: Opts) -> Any:
    from salt_g.minion.bus_client import MinionBusClient  # Imported lazily: few functions fire events.

    return MinionBusClient(opts)


def _warn(settings: Settings) -> None:
    if settings.warnings:
        import logging

        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)


def _become(user: str) -> None:
    """Switch the process to another user and that user's groups; exit if that fails."""
    from salt_g.errors import PrivilegeError, UnknownUser
    from salt_g.process import privileges

    try:
        privileges.become(user)
    except PrivilegeError as exc:
        print(f"salt-g call: error: --priv: {exc}", file=sys.stderr)
        sys.exit(exit_codes.NO_USER if isinstance(exc, UnknownUser) else exit_codes.FAILED)


def _call(
    context: CallContext,
    options: argparse.Namespace,
    words: list[str],
    *,
    is_local: bool,
    record: EndRecord | None,
) -> int:
    from salt_g.cli.call import invocation

    if record:
        record.begin(jid="", fun=words[0], minions=[context.opts["id"]])
    unparsed = options.no_parse.split(",")
    recording = is_local and context.opts["impact"] and words[0].startswith("state.")
    with _watched(context, words[0], options.steps):
        if recording:
            from salt_g.cli.call.read_recording import invoke

            result = invoke(context, words[0], words[1:], unparsed=unparsed)
        else:
            result = invocation.invoke(context, words[0], words[1:], unparsed=unparsed)
    if isinstance(result, invocation.CannotCall):
        if record:
            record.error = result.error
            if result.code != exit_codes.UNAVAILABLE:
                record.returned(context.opts["id"], None, result.code)
        return result.code
    if record:
        record.begin(jid=result.jid, fun=result.name)
        record.returned(context.opts["id"], result.value, result.retcode)
    returners = options.returners or str(context.opts.get("return") or "")
    for name in filter(None, returners.split(",")):
        _send_to(context, name, result.as_load(context))
    if not (is_local or options.no_return_event) and context.opts["pub_ret"]:
        from salt_g.cli.call.call_master import send_return

        send_return(context, result)
    shown: Any = result.as_load(context) if options.print_metadata else result.value
    native = None if options.print_metadata else result.outputter
    code = _print(context, {"local": shown}, native, retcode=result.retcode)
    if options.save:
        code = _save(context, options.save, words, result) or code
    return code or result.exit_code(passthrough=options.retcode_passthrough)


def _save(context: CallContext, path: str, words: list[str], result: Returned) -> int:
    """Save the test run as a plan in the file `path`; return the exit code."""
    from salt_g.cli.call.call_plan import save
    from salt_g.cli.error_report import fail
    from salt_g.errors import CommandExecutionError

    try:
        save(context, path, words, result)
    except CommandExecutionError as exc:
        fail("salt-g call", exc)
        return exit_codes.FAILED
    return exit_codes.OK


def _call_resources(
    context: CallContext,
    options: argparse.Namespace,
    words: list[str],
    *,
    is_local: bool,
    record: EndRecord | None,
) -> int:
    from salt_g.cli.call import call_resources
    from salt_g.cli.call.invocation import Returned

    target = call_resources.ResourceTarget.of(options.tgt, options.tgt_type)
    unparsed = options.no_parse.split(",")
    answers = call_resources.call(context, words[0], words[1:], target, is_local=is_local, unparsed=unparsed)
    if isinstance(answers, int):
        return answers
    if record:
        _record_resources(record, context, words[0], answers)
    is_returned = context.opts["pub_ret"] and not (is_local or options.no_return_event)
    if is_returned and isinstance(answers.own, Returned):
        from salt_g.cli.call.call_master import send_return

        send_return(context, answers.own)
    shown = call_resources.shown(answers, context, words[0])
    return _print(context, {"local": shown.value}, shown.outputter, retcode=answers.code) or answers.code


def _record_resources(record: EndRecord, context: CallContext, name: str, answers: Answers) -> None:
    """Add the return of the minion and the returns of its resources to the end record."""
    from salt_g.cli.call.invocation import Returned

    jid = ""
    if isinstance(answers.own, Returned):
        jid = answers.own.jid
        record.returned(context.opts["id"], answers.own.value, answers.own.retcode)
    record.begin(jid=jid, fun=name)
    for id, value in answers.values.items():
        record.returned(id, value, answers.codes[id])


@contextlib.contextmanager
def _watched(context: CallContext, name: str, asked: str | None) -> Iterator[None]:
    """Show the live steps of states that run in the block, as `asked` or by default at a terminal."""
    from salt_g.cli import step_output

    way = step_output.way_of(asked, name, context.opts)
    if way == step_output.NONE:
        yield
        return
    with step_output.watching(way, str(context.opts["id"])) as record:
        context.services.states.steps = record
        yield


def _send_to(context: CallContext, name: str, load: ReturnLoad) -> None:
    """Send the result to a returner; if that fails, log the error and let the call succeed."""
    import logging

    from salt_g.process.secret_hiding import hide

    returners: Mapping[str, Callable[..., Any]] = context.table("returners")
    try:
        returners[f"{name}.returner"](dict(hide(load)))
    # A plugin may raise anything; the function itself succeeded.
    except (Exception, SystemExit) as exc:
        log = logging.getLogger(__name__)
        log.error("cannot send the result to returner %s: %s", name, exc)
        log.debug("returner %s raised", name, exc_info=True)


def _print_docs(context: CallContext, words: list[str]) -> int:
    from salt_g.api import call

    docs: dict[str, str] = call("sys.doc", *words)
    if context.opts.get("output"):
        return _print(context, docs) or (exit_codes.OK if docs else exit_codes.FAILED)
    for name in sorted(docs):
        print(f"{name}:\n{docs[name]}\n")
    return exit_codes.OK if docs else exit_codes.FAILED


def _print(
    context: CallContext, data: Mapping[str, Any], native: str | None = None, *, retcode: int = 0
) -> int:
    from salt_g.cli import printing

    return printing.show(data, native, context, retcode=retcode)
