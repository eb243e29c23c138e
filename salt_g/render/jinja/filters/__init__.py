"""Salt's filters by topic; `FILTERS` maps the names that templates use to functions.

Jinja computes a filter of constants once, when it compiles. `volatile` marks the filters whose
result may differ from one rendering to the next.
"""

from __future__ import annotations

from salt_g.render.jinja.filters.catalogue import FILTERS

__all__ = ["FILTERS"]
