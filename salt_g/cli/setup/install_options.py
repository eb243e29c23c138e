"""The options of `salt-g install`.

Why its own file: the command and the completion scripts both read it, and the command installs those scripts.
"""

from __future__ import annotations

from salt_g.cli.options import HelpFormatter, OptionParser

_EPILOG = """\
examples:
  salt-g install master
  salt-g install minion --master 192.0.2.1 --finger 3f:5a:... --invite CODE
  salt-g install minion --master salt.example.org --dry-run
  salt-g install minion --uninstall

`salt-g key invite` on the master prints the whole command for a new minion. What is on the host already is
never written over: it is kept and named. A second run does what is left to do, which is nothing.
exit codes: 0 done, 1 it could not be done or something vital was kept, 64 the options cannot be used.
"""


def build_parser(prog: str = "salt-g install") -> OptionParser:
    """Return the parser of `salt-g install`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s master|minion [options]",
        description="Install this salt-g on this host as a service, or remove it.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
    )
    minion = parser.add_argument_group("settings of a minion")
    minion.add_argument("--master", metavar="HOST", default="", help="where its master is: HOST or HOST:PORT")
    minion.add_argument("--finger", metavar="F", default="", help="fingerprint (SHA-256) of the master's key")
    minion.add_argument("--id", default="", help="its id (default: the name of the host)")
    minion.add_argument("--invite", metavar="CODE", default="", help="from `salt-g key invite`; - reads it")
    how = parser.add_argument_group("how to do it")
    how.add_argument("--prefix", metavar="DIR", default="/usr/local", help="where programs are (/usr/local)")
    how.add_argument("--root", metavar="DIR", default="/", help="directory in place of /; nothing is started")
    how.add_argument("--links", action="store_true", help="add links named salt, salt-call, salt-key, ...")
    how.add_argument("--no-start", action="store_true", help="do not start the service now")
    how.add_argument("--dry-run", action="store_true", help="show what would be done, every file in full")
    how.add_argument("--uninstall", action="store_true", help="remove what was installed and is unchanged")
    how.add_argument("--purge", action="store_true", help="with --uninstall: keys, caches and logs too")
    return parser
