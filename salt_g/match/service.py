"""Matching for the running call, available to plugins as `api.services().match`.

`matchers.py` takes values only; here the values come from the call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.data.nested import DELIMITER
from salt_g.match import matchers
from salt_g.match.minion_view import MinionView

#: Types whose matchers receive a delimiter.
_WITH_DELIMITER = frozenset(("grain", "grain_pcre", "pillar", "pillar_pcre", "pillar_exact"))


class Matches:
    """Matching for the minion of the running call; implements `services.protocols.Matching`.

    Grains, pillar and settings are read from the call at the time of matching. A function
    `<type>_match.match` in a user's plugin of the kind `matchers` replaces the matcher of that type, even a
    built-in one.
    """

    def matches(
        self, tgt: Any, tgt_type: str = "glob", *, minion_id: str | None = None, delimiter: str = DELIMITER
    ) -> bool:
        """Return whether this minion, under the name `minion_id` if given, matches `tgt`."""
        custom = _custom_matcher(tgt_type)
        if custom is not None:
            return bool(custom(tgt, delimiter=delimiter) if tgt_type in _WITH_DELIMITER else custom(tgt))
        return matchers.matches(tgt, tgt_type, this_minion(minion_id), delimiter=delimiter)


def this_minion(minion_id: str | None = None) -> MinionView:
    """Return the minion of the running call, under another name if `minion_id` is given."""
    opts = api.current().opts
    # Lazy mappings, built when a matcher reads them: a glob needs neither grains nor pillar.
    return MinionView(
        id=minion_id or str(opts.get("id", "")),
        grains=api.grains,
        pillar=api.pillar,
        nodegroups=opts.get("nodegroups") or {},
        data=lambda key: api.call("data.getval", key) if api.has("data.getval") else None,
        range_server=str(opts.get("range_server", "")),
    )


def _custom_matcher(tgt_type: str) -> Callable[..., Any] | None:
    table: Mapping[str, Callable[..., Any]] = api.current().table("matchers")
    name = f"{tgt_type}_match.match"
    return table.get(name)
