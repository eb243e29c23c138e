"""`salt-g call FUNCTION`, and the short form `salt-g FUNCTION`: run an execution function here.

Stock's `salt-call`. The order is: words, settings, call context, function, output, exit code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.cli import exits
from salt_g.cli.options import OptionParser, add_config, add_logging, add_output, given

if TYPE_CHECKING:
    from salt_g.api import CallContext
    from salt_g.config import Settings

#: Functions of these plugins run other things side by side, so they need a hub.
_NEED_HUB = ("state.",)

_EPILOG = """\
examples:
  salt-g call --local test.ping
  salt-g call --local --out=json grains.item os osrelease
  salt-g call --local --file-root=/srv/salt state.apply web test=True
  salt-g call --local --retcode-passthrough cmd.run 'exit 3'

exit codes: 0 all went well, 1 the function failed, 64 wrong usage or settings, 255 no such function;
with --retcode-passthrough the code that the function set.
"""


def main(words: list[str]) -> int:
    """Run the function that the words name; return the exit code."""
    parser = build_parser()
    options, rest = parser.split(words)
    if options.versions_report:
        return _print_versions()
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if not (rest or options.grains_run or options.doc):
        parser.error("Requires function, --grains or --doc")
    if rest and rest[0].startswith(_NEED_HUB):
        _patch()
    if options.enable_profiling:
        return _profiled(options, rest)
    return _run(options, rest)


def build_parser() -> OptionParser:
    """Return the parser of `salt-g call`, also read by the completion scripts."""
    parser = OptionParser(
        prog="salt-g call",
        usage="%(prog)s [options] FUNCTION [ARGUMENT ...]",
        description="Run an execution function on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config(parser)
    _add_what(parser)
    _add_where(parser)
    _add_how(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to run")
    group.add_argument("-V", "--versions-report", action="store_true", help="print versions and exit")
    group.add_argument("-g", "--grains", dest="grains_run", action="store_true", help="print the grains")
    group.add_argument(
        "-d", "--doc", "--documentation", dest="doc", action="store_true",
        help="print the documentation of a function, a module or of everything",
    )  # fmt: skip
    group.add_argument("--args-stdin", action="store_true", help="read further words from standard input, one a line")
    group.add_argument(
        "--no-parse", dest="no_parse", metavar="NAME,...", default="", help="arguments whose values stay text"
    )
    group.add_argument("--set-metadata", metavar="DATA", help="metadata for the job (YAML)")


def _add_where(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where things are")
    group.add_argument("--local", action="store_true", help="need no master: files and pillar are on this machine")
    group.add_argument("--master", metavar="HOST", help="master to use")
    group.add_argument("--id", metavar="ID", help="minion id to use")
    group.add_argument("--file-root", metavar="DIR", help="the base file root")
    group.add_argument("--pillar-root", metavar="DIR", help="the base pillar root")
    group.add_argument("--states-dir", metavar="DIR", help="further directory with state modules")
    group.add_argument(
        "-m", "--module-dirs", metavar="DIR", action="append", help="further directory with execution modules"
    )
    group.add_argument("--cachedir", metavar="DIR", help="cache directory")


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to run it")
    group.add_argument(
        "--retcode-passthrough", action="store_true", help="exit with the code that the function set"
    )
    group.add_argument("--metadata", dest="print_metadata", action="store_true", help="print jid, fun and retcode too")
    group.add_argument("--return", dest="returners", metavar="RETURNER,...", default="", help="send the result there too")
    group.add_argument("--skip-grains", action="store_true", default=None, help="do not gather grains")
    group.add_argument(
        "--refresh-grains-cache", dest="grains_refresh", action="store_true", help="gather grains anew, despite a cache"
    )
    group.add_argument("--no-return-event", action="store_true", help="fire no event with the return")
    group.add_argument("-t", "--timeout", dest="auth_timeout", type=int, metavar="S", help="seconds to wait for a master")
    group.add_argument("--module-executors", metavar="LIST", help="executors to run the function with")
    group.add_argument("--executor-opts", metavar="OPTS", help="options of the executors (YAML)")
    group.add_argument("--output-diff", dest="state_output_diff", action="store_true", default=None, help="print only states that changed something")
    group.add_argument("--priv", dest="user", metavar="USER", help="user to run as")
    group.add_argument("--hard-crash", action="store_true", default=None, help="raise what a function raises")
    group.add_argument("--enable-profiling", action="store_true", help="write a profile of the run")
    group.add_argument("--profiling-path", metavar="DIR", default="/tmp/stats", help="where profiles go")


def _patch() -> None:
    """Make the standard library yield to other greenlets; before anything else imports it."""
    from gevent import monkey

    # ssl is patched by whoever opens the first such connection: importing it costs 15 ms.
    monkey.patch_all(ssl=False)


def _profiled(options: argparse.Namespace, words: list[str]) -> int:
    import cProfile
    import os

    from salt_g import jid

    os.makedirs(options.profiling_path, exist_ok=True)
    profile = cProfile.Profile()
    try:
        return profile.runcall(_run, options, words)
    finally:
        profile.dump_stats(os.path.join(options.profiling_path, f"salt-g-call-{jid.make()}.pstats"))


def _run(options: argparse.Namespace, words: list[str]) -> int:
    from salt_g import api, config, log
    from salt_g.errors import ConfigError
    from salt_g.minion import context as contexts

    try:
        settings = config.load("minion", options.config_dir, _overrides(options))
    except ConfigError as exc:
        print("\n".join(exc.problems), file=sys.stderr)
        return exits.USAGE
    log.set_up(settings.opts)
    _warn(settings)
    if options.user:
        _become(options.user)
    if not (options.local or contexts.is_masterless(settings)):
        return _refuse_master(settings)
    with api.use(contexts.local_context(settings)) as context:
        if options.doc:
            return _print_docs(context, words)
        if options.grains_run:
            return _print(context, {"local": dict(context.grains)}, "grains")
        return _call(context, options, words)


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the command line gives."""
    settings = given(
        options, "id", "master", "cachedir", "auth_timeout", "skip_grains", "hard_crash", "output", "output_indent",
        "output_file", "output_file_append", "color", "state_output", "state_output_diff", "log_level", "log_file", "log_level_logfile",
    )  # fmt: skip
    if options.force_color:
        settings["force_color"] = True
    if options.state_verbose is not None:
        settings["state_verbose"] = options.state_verbose.lower() in ("true", "yes", "1", "on")
    if options.grains_refresh:
        settings["grains_cache_expiration"] = -1
    if options.local:
        settings["file_client"] = "local"
    if options.file_root:
        settings["file_roots"] = {"base": [_absolute(options.file_root)]}
    if options.pillar_root:
        settings["pillar_roots"] = {"base": [_absolute(options.pillar_root)]}
    if options.states_dir:
        settings["states_dirs"] = [_absolute(options.states_dir)]
    if options.module_dirs:
        settings["module_dirs"] = [_absolute(directory) for directory in options.module_dirs]
    if options.module_executors:
        settings["module_executors"] = options.module_executors.split(",")
    settings["__cli"] = "salt-call"
    return settings


def _absolute(path: str) -> str:
    import os

    return os.path.abspath(path)


def _warn(settings: Settings) -> None:
    if settings.warnings:
        import logging

        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)


def _become(user: str) -> None:
    """Go on as another user; the groups of that user come along."""
    import os
    import pwd

    try:
        entry = pwd.getpwnam(user)
    except KeyError:
        sys.exit(f"salt-g call: error: --priv: there is no user {user!r} on this machine")
    os.initgroups(user, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def _refuse_master(settings: Settings) -> int:
    print(
        f"salt-g call: the settings name a master ({settings.opts['master']}); this version runs functions with local"
        " files and pillar only: add --local, or set file_client: local",
        file=sys.stderr,
    )
    return exits.USAGE


def _call(context: CallContext, options: argparse.Namespace, words: list[str]) -> int:
    from salt_g.cli import invocation

    result = invocation.invoke(context, words[0], words[1:], unparsed=options.no_parse.split(","))
    if isinstance(result, invocation.Refused):
        return result.code
    for name in filter(None, options.returners.split(",")):
        _send_to(context, name, result.as_load(context))
    shown: Any = result.as_load(context) if options.print_metadata else result.value
    code = _print(context, {"local": shown}, "nested" if options.print_metadata else result.outputter)
    return code or result.exit_code(passthrough=options.retcode_passthrough)


def _send_to(context: CallContext, name: str, load: Mapping[str, Any]) -> None:
    returners: Mapping[str, Callable[..., Any]] = context.table("returners")
    returners[f"{name}.returner"](dict(load))


def _print_docs(context: CallContext, words: list[str]) -> int:
    from salt_g.api import call

    docs: dict[str, str] = call("sys.doc", *words)
    for name in sorted(docs):
        print(f"{name}:\n{docs[name]}\n")
    return exits.OK if docs else exits.FAILED


def _print(context: CallContext, data: Mapping[str, Any], outputter: str) -> int:
    from salt_g.cli import printing

    return printing.show(data, outputter, context.opts)


def _print_versions() -> int:
    from salt_g.cli import versions

    print(versions.report())
    return exits.OK
