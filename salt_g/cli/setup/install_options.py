"""Options of `salt-g install`.

Completion scripts are generated from these options, and are installed by the command.
"""

from __future__ import annotations

from salt_g.cli.options import OptionParser, add_output

_EPILOG = """\
examples:
  salt-g install master
  salt-g install minion --master 192.0.2.1 --finger 3f:5a:... --invite CODE
  salt-g install minion --master salt.example.org --dry-run
  salt-g install api
  salt-g install minion --uninstall

`salt-g key invite` on the master prints the whole command for a new minion. Existing files are never
overwritten: they are kept and listed. Running it again completes an interrupted installation.
exit codes: 0 success, 1 failure, or an essential file was kept, 64 the options are invalid.
"""


def build_parser(prog: str = "salt-g install") -> OptionParser:
    """Return the parser of `salt-g install`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s master|minion|api [options]",
        description="Install this salt-g on this host as a service, or remove it.",
        epilog=_EPILOG,
    )
    minion = parser.add_argument_group("settings of a minion")
    minion.add_argument(
        "--master", metavar="HOST", default="", help="address of its master: HOST or HOST:PORT"
    )
    minion.add_argument("--finger", metavar="F", default="", help="fingerprint (SHA-256) of the master's key")
    minion.add_argument("--id", default="", help="its id (default: the host name)")
    minion.add_argument(
        "--invite", metavar="CODE", default="", help="code from `salt-g key invite`; - reads stdin"
    )
    how = parser.add_argument_group("behaviour")
    how.add_argument(
        "--prefix", metavar="DIR", default="/usr/local", help="directory of programs (/usr/local)"
    )
    how.add_argument("--root", metavar="DIR", default="/", help="install below this directory; start nothing")
    how.add_argument("--links", action="store_true", help="add links named salt, salt-call, salt-key, ...")
    how.add_argument("--no-start", action="store_true", help="do not start the service now")
    how.add_argument("--dry-run", action="store_true", help="show the changes, with full file contents")
    how.add_argument("--uninstall", action="store_true", help="remove installed files that are unchanged")
    how.add_argument("--purge", action="store_true", help="with --uninstall: keys, caches and logs too")
    add_output(parser, has_states=False)
    return parser
