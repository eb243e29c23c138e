"""A mapping whose order its author chose.

Why its own file: stock tells the mappings of SLS and pillar files, which it writes as YAML and
shows in the order of the file, from all others, which it sorts. The file that a formula makes
with `{{ pillar.settings | yaml(False) }}` depends on that. Those who read (`render/yaml.py`),
merge (`nested.py`) and write (`yaml_dump.py`, `output/nested.py`) all need the mark.
"""

from __future__ import annotations

import copy
from typing import Any


class Ordered(dict[Any, Any]):
    """A dict in everything but that nobody sorts it; copies are ordered as well."""

    def copy(self) -> Ordered:
        """Return a flat copy."""
        return Ordered(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Ordered:
        # The way through `__reduce_ex__` takes three times as long, and pillar is copied often.
        made = memo[id(self)] = Ordered()
        for key, value in self.items():
            made[key] = copy.deepcopy(value, memo)
        return made


# Templates that ask for a key that is not there name the mapping in their error, in stock's words this.
Ordered.__module__, Ordered.__name__ = "collections", "OrderedDict"
