"""`salt-g config`: the settings in effect, and where each came from.

Prints YAML that could be a config file, the origin of each setting as a comment behind it.
"""

from __future__ import annotations

import sys

from salt_g.cli import exits
from salt_g.cli.options import OptionParser, add_config
from salt_g.config import Settings, load
from salt_g.errors import ConfigError

_EPILOG = """\
examples:
  salt-g config                          every setting of the minion
  salt-g config --changed                those that are no default
  salt-g config --role master file_roots
"""


def main(argv: list[str]) -> int:
    """Print settings; returns an exit code, 64 when the config cannot be used or a name is unknown."""
    import argparse

    parser = OptionParser(
        prog="salt-g config",
        description="Show the settings in effect and where each came from.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config(parser)
    parser.add_argument("--role", choices=("minion", "master"), default="minion", help="whose settings")
    parser.add_argument("--changed", action="store_true", help="only settings that are no default")
    parser.add_argument("names", nargs="*", metavar="NAME", help="settings to show (default: all)")
    options = parser.parse_args(argv)
    try:
        settings = load(options.role, options.config_dir)
    except ConfigError as exc:
        print("\n".join(exc.problems), file=sys.stderr)
        return exits.USAGE
    for warning in settings.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    unknown = [name for name in options.names if name not in settings.opts]
    _complain(unknown)
    _print_rows(settings, [name for name in options.names if name in settings.opts], options)
    return exits.USAGE if unknown else exits.OK


def _print_rows(settings: Settings, names: list[str], options: object) -> None:
    import json

    from salt_g.config import docs

    if not names and getattr(options, "names", None):
        return
    for row in docs.describe(settings, names, only_changed=getattr(options, "changed", False)):
        print(f"{row.name}: {json.dumps(row.value, default=str, ensure_ascii=False)}  # {row.origin}")


def _complain(names: list[str]) -> None:
    from salt_g.config import docs
    from salt_g.config.known import KNOWN

    for name in names:
        near = docs.nearest(name)
        if name in KNOWN:
            print(f"{name!r} is not set and has no default", file=sys.stderr)
        else:
            print(f"no such setting: {name!r}" + (f"; nearest: {near!r}" if near else ""), file=sys.stderr)
