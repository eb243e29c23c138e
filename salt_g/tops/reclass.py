"""States of a minion from an inventory of reclass: the applications of its node.

Settings: `master_tops: {reclass: {inventory_base_uri: DIR, ...}}`. Needs the library: `pip install
'salt-g[reclass]'`.
Source: documentation of reclass, "Using reclass with Salt".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.formats.reclass_inventory import answer


def top(opts: Mapping[str, Any], grains: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    """Return {environment: applications} of the minion with the settings `opts`.

    The inventory is always the master's setting, never the minion's.

    Example::

        salt-g state.show_top
    """
    given = api.opts["master_tops"]["reclass"]
    options = given if isinstance(given, Mapping) else {}
    found = answer("top", str(opts["id"]), options=options, settings=api.opts)
    return {str(environment): [str(name) for name in names] for environment, names in found.items() if names}
