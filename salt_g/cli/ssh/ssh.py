"""`salt-g ssh TARGET FUNCTION`: functions, states and shell commands on hosts without a minion.

The equivalent of stock's `salt-ssh`. The steps: arguments, settings of the master, roster, target, a context
for each host, calls, output as results arrive, exit code. No running master is needed, because files and
pillar are read from the master's directories.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes, saltfile
from salt_g.cli.ssh.ssh_options import build_parser, overrides

if TYPE_CHECKING:
    from salt_g.cli.options import OptionParser
    from salt_g.cli.ssh.host_calls import HostReturn, Work
    from salt_g.cli.ssh.host_contexts import HostContexts
    from salt_g.cli.ssh.roster_hosts import Targeted
    from salt_g.shapes import Opts, OptsDraft

#: Maximum number of hosts worked on concurrently without `--max-procs` or `ssh_max_procs`.
MAX_PROCS = 25


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options, rest = saltfile.split(parser, words, "salt-ssh")
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if not options.ssh_list_hosts and len(rest) < 2:
        print(parser.format_help(), end="")
        parser.error("Insufficient arguments")
    from salt_g.cli import error_report
    from salt_g.errors import SaltGError
    from salt_g.process import monkey_patch

    monkey_patch.patch()
    try:
        return _run(options, rest, parser)
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc, crashes=options.hard_crash)


def _run(options: argparse.Namespace, words: list[str], parser: OptionParser) -> int:
    from salt_g.cli import client_settings
    from salt_g.cli.ssh import host_log
    from salt_g.cli.ssh.roster_hosts import RosterHosts
    from salt_g.cli.target_options import target_of

    given = overrides(options)
    if options.ssh_askpass:
        given["ssh_passwd"] = _prompt_for_password()
    settings = client_settings.load(options, given, asks_for_id=False)
    opts = {**settings, "log_file": options.log_file or settings["ssh_log_file"]}
    host_log.set_up(opts, shows_hosts=bool(options.log_level))
    roster = RosterHosts(opts)
    target = target_of(words[0] if words else "*", options.tgt_type)
    if options.ssh_list_hosts:
        return _present(roster.listed(target, options.tgt_type), None, opts)
    found = roster.targeted(target, options.tgt_type, options.delimiter)
    if not found.hosts:
        print("No matching targets found in roster.", file=sys.stderr)
        # With an output format chosen, even an empty result is printed as a document.
        return _present({}, None, opts) if opts.get("output") else exit_codes.OK
    if opts.get("ssh_update_roster") and found.is_new:
        roster.remember(found.hosts)
    try:
        return _on_hosts(options, opts, found, words[1:])
    finally:
        found.contexts.close()


def _on_hosts(
    options: argparse.Namespace,
    opts: OptsDraft,
    found: Targeted,
    words: list[str],
) -> int:
    from salt_g.cli.ssh import host_calls
    from salt_g.data import jid as jids

    jid = options.jid or jids.make()
    if options.verbose:
        from salt_g.cli.cmd.return_output import title

        print(title(jid), flush=True)
    work = _work(options, opts, found.contexts, found.hosts, words, jid)
    with contextlib.ExitStack() as deploying:
        if options.ssh_key_deploy:
            from salt_g.cli.ssh.key_deploy import after_deployment

            work = deploying.enter_context(after_deployment(found.contexts, opts, work))
        returns: Iterable[HostReturn] = host_calls.each(
            found.hosts, work, limit=int(opts.get("ssh_max_procs") or MAX_PROCS)
        )
        if options.print_metadata:
            returns = map(partial(_with_metadata, words, jid), returns)
        return _shown(returns, opts, static=options.static)


def _with_metadata(words: list[str], jid: str, one: HostReturn) -> HostReturn:
    """Return a result with the fields that stock's runner `ssh.cmd` adds."""
    from salt_g.loader.arguments import read_value

    beside = {"jid": jid, "id": one.id, "fun": words[0], "fun_args": [read_value(word) for word in words[1:]]}
    return one._replace(value={"return": one.value, "retcode": one.retcode, **beside}, outputter=None)


def _work(
    options: argparse.Namespace,
    opts: Opts,
    contexts: HostContexts,
    hosts: Mapping[str, Mapping[str, Any]],
    words: list[str],
    jid: str,
) -> Work:
    """Return the function that runs the command on one host."""
    from salt_g.cli.ssh import host_calls, pre_flight

    is_forced = bool(opts.get("ssh_run_pre_flight"))
    scripts = {id: pre_flight.of_entry(entry, is_forced=is_forced) for id, entry in hosts.items()}
    if options.raw_shell:
        command = " ".join(words)
        return lambda id: host_calls.shell_on(contexts, id, command, first=scripts.get(id), jid=jid)
    from salt_g.loader.arguments import parse_words

    args, kwargs = parse_words(words[1:], unparsed=options.no_parse.split(","))
    call = host_calls.HostCall(words[0], args, kwargs, jid)
    return lambda id: host_calls.function_on(contexts, id, call, first=scripts.get(id))


def _shown(returns: Iterable[HostReturn], opts: Opts, *, static: bool) -> int:
    """Print each result as it arrives or, with `static`, all together; return the exit code."""
    together: dict[str, Any] = {}
    outputter: str | None = None
    failed = unwritten = exit_codes.OK
    for one in returns:
        failed = exit_codes.HOSTS_FAILED if one.retcode else failed
        if static:
            together[one.id], outputter = one.value, one.outputter or outputter
        else:
            unwritten = _present({one.id: one.value}, _outputter(one.value, one.outputter), opts) or unwritten
    if static:
        unwritten = _shown_together(together, outputter, opts)
    return failed or unwritten


def _shown_together(values: Mapping[str, Any], outputter: str | None, opts: Opts) -> int:
    """Print all results as one document, or errors before state runs if they need different outputters."""
    others = {id: value for id, value in values.items() if _outputter(value, outputter) is None}
    if not others or len(others) == len(values) or opts.get("output"):
        return _present(values, None if others else outputter, opts)
    runs = {id: value for id, value in values.items() if id not in others}
    return _present(others, None, opts) or _present(runs, outputter, opts)


def _outputter(value: Any, own: str | None) -> str | None:
    """Return the outputter for a result; None for an error from a function whose outputter is highstate."""
    return own if own != "highstate" or _is_run(value) else None


def _is_run(value: Any) -> bool:
    from salt_g.shapes import is_low_tag

    return isinstance(value, dict) and all(is_low_tag(key) for key in value)


def _present(data: Any, outputter: str | None, opts: Opts) -> int:
    from salt_g.cli import printing
    from salt_g.process.secret_hiding import hide

    return printing.present(hide(data), outputter, opts)


def _prompt_for_password() -> str:
    """Return the password, prompted for on the terminal or read from standard input."""
    import getpass

    from salt_g.errors import InvocationError

    try:
        return getpass.getpass("Password: ")
    except EOFError as exc:
        raise InvocationError(
            "--askpass needs a terminal, or a line on standard input; a roster can hold the password as well"
        ) from exc
