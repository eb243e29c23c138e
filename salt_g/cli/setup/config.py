"""`salt-g config`: print the effective settings and the origin of each.

Prints YAML that is valid as a config file, with the origin of each setting in a comment.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.config import docs, load
from salt_g.config.registry import KNOWN
from salt_g.errors import ConfigError

if TYPE_CHECKING:
    from salt_g.config import Settings
    from salt_g.shapes import OptsDraft

_EPILOG = """\
examples:
  salt-g config                          every setting of the minion
  salt-g config --changed                only those that differ from the default
  salt-g config --role master file_roots
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g config`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g config",
        description="Show the effective settings and the origin of each.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("--role", choices=("minion", "master"), default="minion", help="whose settings")
    parser.add_argument("--changed", action="store_true", help="only settings that differ from the default")
    add_output(parser, has_states=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="settings to show (default: all)")
    return parser


def main(argv: list[str]) -> int:
    """Print settings; return the exit code, 64 for an invalid config or an unknown name."""
    options = build_parser().mixed(argv)
    try:
        settings = load(options.role, options.config_dir)
        if options.role == "master":
            _check_start(settings)
    except ConfigError as exc:
        from salt_g.cli.error_report import fail

        return fail("salt-g config", exc)
    for warning in settings.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    rows = docs.describe(settings, options.names, only_changed=options.changed)
    code = _show(rows, given(options, *OUTPUT_SETTINGS))
    return _complain([name for name in options.names if name not in settings.opts]) or code


def _check_start(settings: Settings) -> None:
    """Raise ConfigError for settings with which a master would not start."""
    from salt_g.master.start_checks import problems

    if found := problems(settings.opts, settings.origins):
        raise ConfigError(found)


def _show(rows: Iterable[docs.SettingRow], output: OptsDraft) -> int:
    if chooses_output(output):
        from salt_g.cli import printing

        shown = {row.name: {"value": row.value, "origin": row.origin} for row in rows}
        return printing.present(shown, None, output)
    for row in rows:
        print(f"{row.name}: {json.dumps(row.value, default=str, ensure_ascii=False)}  # {row.origin}")
    return exit_codes.OK


def _complain(names: list[str]) -> int:
    """Report settings that have no value or do not exist; return the exit code."""
    for name in names:
        if name in KNOWN:
            reason = f"{name!r} is not set and has no default"
        else:
            near = docs.nearest(name)
            reason = f"no such setting: {name!r}" + (f"; nearest: {near!r}" if near else "")
        print(reason, file=sys.stderr)
    return exit_codes.USAGE if names else exit_codes.OK
