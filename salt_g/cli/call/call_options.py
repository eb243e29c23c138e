"""Options of `salt-g call` and the settings they override."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_config,
    add_documentation,
    add_executors,
    add_explain,
    add_hard_crash,
    add_logging,
    add_output,
    add_output_diff,
    add_reading,
    add_record,
    add_saltfile,
    add_save,
    add_versions_report,
    given,
)
from salt_g.cli.step_output import add_steps

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft, PillarDict

#: Options that override the setting of the same name.
_DIRECT = (
    *OUTPUT_SETTINGS,
    *LOG_SETTINGS,
    *("auth_timeout", "cachedir", "hard_crash", "id", "master", "skip_grains", "state_output_diff"),
)

#: Target types that `--tgt-type` accepts.
TARGET_TYPES = ("glob", "list", "compound", "grain", "grain_pcre", "pcre")

_EPILOG = """\
examples:
  salt-g call --local test.ping
  salt-g call --local --out=json grains.item os osrelease
  salt-g call --local --file-root=/srv/salt state.apply web test=True
  salt-g call --local state.apply web test=True --save web.plan
  salt-g call --local state.apply_plan web.plan
  salt-g call --resources --tgt 'T@dummy' state.apply web
  salt-g call --local --retcode-passthrough cmd.run 'exit 3'

exit codes: 0 success, 1 the function failed, 64 wrong usage or settings, 255 no such function;
with --retcode-passthrough the code that the function set.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g call`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g call",
        usage="%(prog)s [options] FUNCTION [ARGUMENT ...]",
        description="Run an execution function on this machine.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_what(parser)
    _add_where(parser)
    _add_how(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("function to run")
    add_versions_report(group)
    group.add_argument("-g", "--grains", dest="grains_run", action="store_true", help="print the grains")
    add_documentation(group, "a function, of a module, or of all")
    add_reading(group)
    group.add_argument(
        "-r", "--resources", action="store_true", help="also run the function on the resources of this minion"
    )
    group.add_argument("--tgt", metavar="TARGET", default="*", help="with --resources: target of the call")
    group.add_argument(
        "--tgt-type",
        choices=TARGET_TYPES,
        help="with --resources: target type of --tgt (default: glob; compound if it begins like T@...)",
    )
    group.add_argument(
        "--set-metadata",
        dest="job_metadata",
        metavar="DATA",
        help="metadata of the job (YAML), by which jobs.list_jobs can find the job",
    )


def _add_where(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings and directories")
    group.add_argument(
        "--local", action="store_true", help="use no master, but the files and pillar of this machine"
    )
    group.add_argument("--master", metavar="HOST", help="master to use")
    group.add_argument("--id", metavar="ID", help="minion id to use")
    for kind in ("file", "pillar"):
        group.add_argument(
            f"--{kind}-root",
            metavar="DIR",
            action="append",
            help=f"a base {kind} root (repeatable)",
        )
    group.add_argument(
        "--states-dir",
        metavar="DIR",
        action="append",
        help="additional directory with state modules (repeatable)",
    )
    group.add_argument(
        "-m",
        "--module-dirs",
        metavar="DIR",
        action="append",
        help="additional directory with execution modules (repeatable)",
    )
    group.add_argument("--cachedir", metavar="DIR", help="cache directory")


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to run it")
    group.add_argument(
        "--retcode-passthrough", action="store_true", help="exit with the return code set by the function"
    )
    group.add_argument(
        "--metadata", dest="print_metadata", action="store_true", help="print jid, fun and retcode too"
    )
    group.add_argument(
        "--return",
        dest="returners",
        metavar="RETURNER,...",
        default="",
        help="also send the result to this returner",
    )
    group.add_argument("--skip-grains", action="store_true", default=None, help="do not gather grains")
    group.add_argument(
        "--refresh-grains-cache",
        dest="grains_refresh",
        action="store_true",
        help="gather grains again instead of reading the cache",
    )
    group.add_argument("--no-return-event", action="store_true", help="do not send the return to the master")
    group.add_argument(
        "-t", "--timeout", dest="auth_timeout", type=int, metavar="S", help="seconds to wait for a master"
    )
    add_executors(group)
    add_output_diff(group)
    group.add_argument(
        "--show-secrets", action="store_true", help="as root: print the values of secrets (pillar_secrets)"
    )
    add_steps(group)
    add_explain(group)
    add_record(group)
    add_save(group, "FILE", "in a file")
    group.add_argument("--priv", dest="user", metavar="USER", help="user to run as")
    add_hard_crash(group)
    group.add_argument("--enable-profiling", action="store_true", help="write a profile of the run")
    group.add_argument("--profiling-path", metavar="DIR", default="/tmp/stats", help="directory for profiles")


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    settings = given(options, *_DIRECT)
    if options.grains_refresh:
        settings["grains_cache_expiration"] = -1
    if options.local:
        settings["file_client"] = "local"
    if options.file_root:
        settings["file_roots"] = {"base": list(map(_absolute, options.file_root))}
    if options.pillar_root:
        settings["pillar_roots"] = {"base": list(map(_absolute, options.pillar_root))}
    if options.states_dir:
        settings["states_dirs"] = list(map(_absolute, options.states_dir))
    if options.module_dirs:
        settings["module_dirs"] = [_absolute(directory) for directory in options.module_dirs]
    if options.module_executors:
        settings["module_executors"] = _listed(options.module_executors)
    if options.executor_opts:
        settings["executor_opts"] = _mapping(options.executor_opts)
    if options.show_secrets:
        settings["__show_secrets"] = True
    if options.job_metadata is not None:
        from salt_g.loader.arguments import read_value  # Imported lazily, as below.

        settings["__metadata"] = read_value(options.job_metadata)
    settings["__cli"] = "salt-call"
    return settings


def _listed(text: str) -> list[str]:
    """Return the names in `a,b` or in a YAML list (stock's form)."""
    return [name.strip(" '\"") for name in text.strip("[] ").split(",") if name.strip()]


def _mapping(text: str) -> PillarDict:
    from salt_g.loader.arguments import read_value  # Imported lazily: few calls set executor options.

    found = read_value(text if text.startswith("{") else f"{{{text}}}")
    return found if isinstance(found, dict) else {}


def _absolute(path: str) -> str:
    return os.path.abspath(path)
