"""Roster files: location by the settings, and rendering.

Errors: RosterError names the file and the remedy.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import services
from salt_g.errors import RosterError

#: File name of the roster in the config directory of the master.
_NAME = "roster"


def roster_path(settings: Mapping[str, Any]) -> str:
    """Return the path of the roster, by default `roster` in the config directory.

    `roster_file` is tried as given, in the directories `rosters`, and in the config directory.
    """
    directory = str(settings.get("config_dir") or "/etc/salt")
    named = str(settings.get("roster_file") or "")
    if not named:
        return os.path.join(directory, _NAME)
    searched = [str(one) for one in settings.get("rosters") or () if isinstance(one, str)]
    places = [os.path.abspath(named), *(os.path.join(one, named) for one in (*searched, directory))]
    return next((place for place in places if os.path.isfile(place)), places[0])


def rendered(path: str, *, may_be_empty: bool = False) -> Mapping[Any, Any]:
    """Return the data of a file, rendered like an SLS file; raises RosterError."""
    if not os.path.isfile(path):
        problem = "is not a file" if os.path.exists(path) else "does not exist"
        raise RosterError(f"the roster {path} {problem}; create it, or name another one (--roster-file)")
    try:
        data = services().render.render_sls(path, sls=_NAME, saltenv="base", tmplpath=path)
    except (Exception, SystemExit) as exc:  # Renderers are plugins and can raise anything.
        raise RosterError(f"the roster {path} cannot be read: {exc}") from exc
    if data is None and may_be_empty:
        return {}
    if not isinstance(data, Mapping):
        raise RosterError(f"the roster {path} must be a mapping of ids to hosts, not a {type(data).__name__}")
    return data
