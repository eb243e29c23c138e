"""`salt-g lint [SLS ...]`: report errors in a state tree before a run, without a minion."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.printing as printing
from salt_g.cli.client_settings import check_directory
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
from salt_g.errors import InvocationError, SaltGError

if TYPE_CHECKING:
    from salt_g.lint.finding import LintFinding
    from salt_g.shapes import GrainsDict, Opts

_SYSTEMS = ("debian", "ubuntu", "rhel", "suse", "alpine")
_EPILOG = """\
examples:
  salt-g lint                                  every SLS of the tree, on a system like this one
  salt-g lint web db.server --file-root=states --pillar-root=pillar
  salt-g lint --os all --format github
  salt-g lint --minion web7                    on a master: with the grains and pillar of that minion

Nothing of the tree runs: functions that ask a minion give an unknown value, and findings that depend on one
are warnings.
exit codes: 0 nothing was found, 1 something was found, 2 the master of --minion cannot be asked, 64 options,
settings or names of SLS are wrong.
"""


def build_parser(prog: str = "salt-g lint") -> OptionParser:
    """Return the parser of `salt-g lint`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options] [SLS ...]",
        description="Find errors in SLS files: syntax, names, requisites, arguments, missing files.",
        epilog=_EPILOG,
    )
    add_tree(parser)
    parser.add_argument(
        "--format", choices=("text", "sarif", "github"), default="text", help="form of the findings"
    )
    add_output(parser, has_states=False)
    add_logging(parser)
    return parser


def add_tree(parser: OptionParser) -> None:
    """Add the options that select the trees to check, and the systems to check them for."""
    add_config(parser)
    systems = parser.add_mutually_exclusive_group()
    systems.add_argument(
        "--os",
        choices=(*_SYSTEMS, "all"),
        help="compile for this system (default: the one most like this host)",
    )
    systems.add_argument(
        "--minion", metavar="ID", help="compile for this minion, whose grains the master has"
    )
    parser.add_argument("--saltenv", metavar="ENV", help="check this environment only")
    parser.add_argument("--file-root", metavar="DIR", help="directory of the state tree")
    parser.add_argument("--pillar-root", metavar="DIR", help="directory of the pillar tree")


def main(words: list[str]) -> int:
    """Print the findings; return the exit code."""
    parser = build_parser()
    options, names = parser.split(words)
    try:
        opts = settings_of(options)
        systems = systems_of(options, opts)
        found = _lint(opts, systems, names, is_recorded=bool(options.minion))
    except InvocationError as exc:
        return error_report.fail(parser.prog, exc, other=exit_codes.USAGE)
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc, other=exit_codes.NOBODY)
    code = _print(found, options, opts)
    return code or (exit_codes.FAILED if found else exit_codes.OK)


def settings_of(options: argparse.Namespace) -> Opts:
    """Return the settings of this host's minion or, with `--minion`, those of its master."""
    import os

    from salt_g import config
    from salt_g.telemetry import log

    check_directory(options.config_dir)
    overrides = given(options, *OUTPUT_SETTINGS, *LOG_SETTINGS, "saltenv")
    for name, setting in (("file_root", "file_roots"), ("pillar_root", "pillar_roots")):
        if directory := getattr(options, name):
            if not os.path.isdir(directory):
                raise InvocationError(f"--{name.replace('_', '-')}: there is no directory {directory}")
            overrides[setting] = {options.saltenv or "base": [os.path.abspath(directory)]}
    if options.file_root:
        # The environment from the settings belongs to the tree of the settings, not to the given one.
        overrides["saltenv"] = options.saltenv or "base"
    settings = config.load("master" if options.minion else "minion", options.config_dir, overrides)
    log.set_up(settings.opts)
    settings.log_files()
    return settings.opts


def systems_of(options: argparse.Namespace, opts: Opts) -> dict[str, GrainsDict]:
    """Return {system: grains} for the options `--os` or `--minion`."""
    if options.minion:
        return _recorded(options, opts)
    from salt_g.lint.systems import SYSTEMS, grains_of, system_like

    wanted = list(SYSTEMS) if options.os == "all" else [options.os or system_like(_own_system())]
    return {system: grains_of(system, str(opts.get("id") or "minion")) for system in wanted}


def _own_system() -> GrainsDict:
    """Return `os` and `os_family` of this host, from its release file."""
    import platform

    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return {}
    words = f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()
    families = {"debian": "Debian", "rhel": "RedHat", "fedora": "RedHat", "suse": "Suse", "alpine": "Alpine"}
    family = next((families[word] for word in words if word in families), "Debian")
    return {"os": release.get("ID", ""), "os_family": family}


def _recorded(options: argparse.Namespace, opts: Opts) -> dict[str, GrainsDict]:
    """Return {id: grains} with the grains that the master has stored for the minion of `--minion`."""
    from salt_g.cli.run.run_client import run_silently

    outcome = run_silently(opts, "cache.grains", [options.minion], {})
    found = outcome.get("return")
    if not outcome.get("success"):
        raise SaltGError(f"--minion: the grains that the master holds cannot be read: {found}")
    grains = found.get(options.minion) if isinstance(found, Mapping) else None
    if not grains:
        raise InvocationError(
            f"the master has no grains of {options.minion}: the minion has never signed in (salt-g key -L)"
        )
    return {options.minion: {**grains, "id": options.minion}}


def _lint(
    opts: Opts, systems: Mapping[str, GrainsDict], names: Sequence[str], *, is_recorded: bool
) -> list[LintFinding]:
    import tempfile

    from salt_g.lint.linter import lint

    with quiet(), tempfile.TemporaryDirectory(prefix="salt-g-lint-") as cachedir:
        return lint({**opts, "cachedir": cachedir}, systems, names, is_recorded=is_recorded)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence the compiler's log, because findings contain its messages with more precise locations."""
    import logging

    loggers = [logging.getLogger(f"salt_g.{room}") for room in ("state", "render", "pillar")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _print(found: Sequence[LintFinding], options: argparse.Namespace, opts: Opts) -> int:
    from salt_g.lint import report_formats

    if options.format == "sarif":
        from salt_g.report.source_commit import version

        print(report_formats.as_sarif(found, version()))
    elif options.format == "github":
        print(report_formats.as_github(found), end="\n" if found else "")
    elif chooses_output(opts):
        return printing.present([finding._asdict() for finding in found], None, opts)
    else:
        print(report_formats.as_text(found), end="\n" if found else "")
        count = f"{len(found)} finding{'s' if len(found) != 1 else ''}" if found else "nothing found"
        print(f"salt-g lint: {count}", file=sys.stderr)
    return exit_codes.OK
