"""Stock's `salt.roster`: the hosts of `salt-g ssh`."""

from collections.abc import Mapping
from typing import Any

from salt_g.compat.refusal import refuse
from salt_g.rosters._files import roster_path

Roster = refuse("salt.roster.Roster", "call `salt-g ssh`, or the runner `ssh.cmd`")


def get_roster_file(options: Mapping[str, Any]) -> str:
    """Return the path of the roster file: `roster_file`, searched for in the directories `rosters`."""
    return roster_path(options)


__all__ = ["Roster", "get_roster_file"]
