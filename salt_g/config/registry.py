"""Registry of all declared settings, by topic and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.config.declared import (
    api,
    connection,
    events,
    files,
    fleet,
    identity,
    jobs,
    logging,
    output,
    pillar,
    plugins,
    priority,
    repositories,
    security,
    ssh,
    states,
)
from salt_g.config.setting import FOREIGN, UNSET, Setting

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Modules with declarations, in the order of the documentation page.
TOPICS = (
    identity,
    connection,
    security,
    files,
    repositories,
    pillar,
    states,
    output,
    logging,
    plugins,
    jobs,
    events,
    fleet,
    ssh,
    api,
    priority,
)
#: {name: declaration} of every setting of both roles.
KNOWN: dict[str, Setting] = {setting.name: setting for topic in TOPICS for setting in topic.SETTINGS}


def defaults(role: str) -> OptsDraft:
    """Return fresh defaults of a role (`minion` or `master`), omitting settings without one."""
    made = {}
    for name, setting in KNOWN.items():
        value = setting.master if role == "master" else setting.minion
        if value is not UNSET and value is not FOREIGN:
            made[name] = _fresh(value) if isinstance(value, (list, dict)) else value
    return made


def _fresh(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _fresh(item) for key, item in value.items()}
    return [_fresh(item) for item in value] if isinstance(value, list) else value
