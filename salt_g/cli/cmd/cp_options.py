"""Options of `salt-g cp`."""

from __future__ import annotations

import argparse
from typing import Any

from salt_g.cli.options import (
    HelpFormatter,
    OptionParser,
    add_config,
    add_logging,
    add_output,
    add_saltfile,
    given,
)
from salt_g.cli.target_options import add_targets

#: Options that override the setting of the same name.
_DIRECT = (
    *("color", "log_file", "log_level", "log_level_logfile", "output", "output_file"),
    *("output_file_append", "output_indent", "state_output", "timeout"),
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
        formatter_class=HelpFormatter,
    )
    add_config(parser)
    add_saltfile(parser)
    parser.add_argument(
        "-t",
        "--timeout",
        type=int,
        metavar="S",
        help="seconds before minions are asked whether they still run the job",
    )
    parser.add_argument("-V", "--versions-report", action="store_true", help="print versions and exit")
    parser.add_argument("--hard-crash", action="store_true", help="print the traceback of errors")
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


def overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings given on the command line."""
    settings = given(options, *_DIRECT)
    if settings.get("timeout", 1) <= 0:
        del settings["timeout"]
    if options.force_color:
        settings["force_color"] = True
    return {**settings, "__cli": "salt-cp"}
