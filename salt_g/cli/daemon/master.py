"""`salt-g master`: run the master in the foreground or with `-d` in the background. Stock's `salt-master`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.cli.daemon import daemon
from salt_g.process import fd_limit

if TYPE_CHECKING:
    from salt_g.cli.options import OptionParser
    from salt_g.config import Settings

_EPILOG = """\
examples:
  salt-g master                  in the foreground, logging to the terminal
  salt-g master -d               in the background
  salt-g master -c /srv/conf     with the settings of /srv/conf/master
"""


def main(words: list[str]) -> int:
    """Run the master; return the exit code."""
    return daemon.main("master", build_parser(), words, _make)


def build_parser() -> OptionParser:
    """Return the option parser of `salt-g master`."""
    return daemon.build_parser("salt-g master", "Run the master, which controls the minions.", _EPILOG)


def _make(settings: Settings) -> Any:
    from salt_g.master.daemon import Master

    fd_limit.allow(int(settings.opts["max_open_files"]))
    return Master(settings.opts)
