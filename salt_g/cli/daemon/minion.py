"""`salt-g minion`: run the minion in the foreground or with `-d` in the background. Stock's `salt-minion`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.cli.daemon import daemon

if TYPE_CHECKING:
    from salt_g.cli.options import OptionParser
    from salt_g.config import Settings

_EPILOG = """\
examples:
  salt-g minion                  in the foreground, logging to the terminal
  salt-g minion -d               in the background
  salt-g minion -c /srv/conf     with the settings of /srv/conf/minion
"""


def main(words: list[str]) -> int:
    """Run the minion; return the exit code."""
    return daemon.main("minion", build_parser(), words, _make)


def build_parser() -> OptionParser:
    """Return the option parser of `salt-g minion`."""
    return daemon.build_parser(
        "salt-g minion", "Run the minion, which executes the jobs of its master.", _EPILOG
    )


def _make(settings: Settings) -> Any:
    from salt_g.config import remember_id
    from salt_g.minion.daemon import Minion

    remember_id(settings)
    return Minion(settings)
