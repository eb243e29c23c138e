"""External pillar `reclass`: the parameters of the minion's node, and `__reclass__` about the node itself.

Needs the library: `pip install 'salt-g[reclass]'`.
Source: documentation of reclass, "Using reclass with Salt".
"""

from __future__ import annotations

from typing import Any

from salt_g import api
from salt_g.formats.reclass_inventory import answer
from salt_g.shapes import PillarDict


def reclass(minion_id: str, pillar: PillarDict, **options: Any) -> PillarDict:
    """Return the parameters; `options` are options of the library, such as `inventory_base_uri`."""
    found: PillarDict = answer("ext_pillar", minion_id, pillar, options=options, settings=api.opts)
    return found
