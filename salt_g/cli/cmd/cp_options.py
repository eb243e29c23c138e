"""Options of `salt-g cp`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_config,
    add_hard_crash,
    add_job_timeout,
    add_logging,
    add_output,
    add_saltfile,
    add_versions_report,
    job_overrides,
)
from salt_g.cli.target_options import add_targets

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Options that override the setting of the same name.
_DIRECT = (
    *OUTPUT_SETTINGS,
    *LOG_SETTINGS,
    "timeout",
)

_EPILOG = """\
examples:
  salt-g cp '*' motd /etc/motd
  salt-g cp -C 'web*' site/ /srv/www
  salt-g cp -C -G os:Debian big.iso /var/tmp/big.iso

exit codes: 0 all minions have all files, 1 a copy failed, 2 the target matches no minion,
42 a file does not exist, 64 wrong options or settings.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g cp`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g cp",
        usage="%(prog)s [options] TARGET SOURCE [SOURCE ...] DEST",
        description="Copy files of this machine to minions.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    add_job_timeout(parser)
    add_versions_report(parser)
    add_hard_crash(parser)
    files = parser.add_argument_group("file options")
    files.add_argument(
        "-C", "--chunked", action="store_true", help="copy in chunks: large files, binary files, directories"
    )
    files.add_argument(
        "-n", "--no-compression", dest="gzip", action="store_false", help="do not compress the chunks"
    )
    add_targets(parser, taken=("-C",))
    add_output(parser)
    add_logging(parser)
    return parser


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    return {**job_overrides(options, *_DIRECT), "__cli": "salt-cp"}
