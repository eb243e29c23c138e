"""Salt's filters by topic; `FILTERS` maps their template names to functions.

Jinja evaluates filters of constants once, at compile time. `volatile` marks the filters whose
result may differ from one rendering to the next.
"""

from __future__ import annotations

from salt_g.render.jinja.filters.catalogue import FILTERS, JINJAS

__all__ = ["FILTERS", "JINJAS"]
