"""Mapping that keeps the order of its source file.

Stock writes and shows mappings of SLS and pillar files in the order of the file; it sorts other mappings.
The output of `{{ pillar.settings | yaml(False) }}` in a formula depends on that. Readers (`render/yaml.py`),
mergers (`nested.py`) and writers (`yaml_dump.py`, `output/nested.py`) all rely on this type.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from types import NoneType
from typing import Any

#: Immutable types, whose values copies can share.
_ATOMS = frozenset((str, int, float, bool, NoneType, bytes))


class Ordered(dict[Any, Any]):
    """A dict that is never sorted on output; copies are also of this type."""

    def __repr__(self) -> str:
        # Templates can convert mappings to text (`~`, `string`, `replace`), which must look as in stock.
        return repr(OrderedDict(self))

    def copy(self) -> Ordered:
        """Return a shallow copy."""
        return Ordered(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Ordered:
        # Pillar is copied often, and copying through `__reduce_ex__`, or with `deepcopy` of each text and
        # number, takes three times as long.
        made = memo[id(self)] = Ordered()
        for key, value in self.items():
            kind = type(value)
            if kind in _ATOMS:
                made[key] = value
            elif kind is Ordered and id(value) not in memo:
                made[key] = value.__deepcopy__(memo)
            else:
                made[key] = copy.deepcopy(value, memo)
        return made


# A template's error about a missing key contains the name of the mapping's class, here the same as in stock.
Ordered.__module__, Ordered.__name__ = "collections", "OrderedDict"


def unmarked(data: Any) -> Any:
    """Return data with plain dicts for Ordered mappings, for outputters that print Python's `repr`."""
    if isinstance(data, dict):
        return {key: unmarked(value) for key, value in data.items()}
    return [unmarked(item) for item in data] if type(data) is list else data
