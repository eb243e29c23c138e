"""Criteria for one resource: its own id, grains and settings, or data of its minion.

Shapes: the arguments of a test are a Resource and `managed`, which says whether words about minions also
apply to the resources they manage. They do in expressions that refer to resources: in `m1 and T@dummy` the
word `m1` means "managed by m1", while `m1` alone, or as an operand of `or`, is only the minion.

| criterion | true for a resource when |
|---|---|
| `T@type`, `T@type:id` | type (and id) are equal, `*?[` as in globs |
| grains | its own grains match |
| list, pcre | its bare id or its SRN matches |
| glob with `*?[` | its bare id or its SRN matches, or the id of its minion |
| glob without | its bare id or its SRN is equal; with `managed` also the id of its minion |
| pillar | its own settings match; with `managed` also the pillar of its minion |
| ipcidr | its grains `ipv4`, `ipv6` match; with `managed`, and when it has none, those of its minion |
| `M@glob`, data, range | with `managed` if its minion matches |
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.data.nested import DELIMITER
from salt_g.errors import TargetError
from salt_g.match import nested
from salt_g.match.minion_view import MinionView
from salt_g.match.single import match_pcre, match_single


class Resource(NamedTuple):
    """Data of a resource for matching; `settings` are the resource's part of the pillar."""

    type: str
    id: str
    minion: MinionView
    grains: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}

    @property
    def srn(self) -> str:
        """Name of the resource, `type:id`."""
        return f"{self.type}:{self.id}"

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """Nodegroups of the configuration."""
        return self.minion.nodegroups


#: Predicate over one resource: (resource, managed).
Test = Callable[[Resource, bool], bool]
_GRAINS = {"grain": nested.accepts_glob, "grain_pcre": nested.accepts_pcre}
_PILLAR = frozenset(("pillar", "pillar_exact", "pillar_pcre"))
_MISSING = object()
#: Maximum number of values for which a test caches its result.
_MAX_CACHED = 1000


def test_resources(tgt: Any, tgt_type: str, delimiter: str = DELIMITER) -> Test:
    """Return the predicate for one criterion; raise KeyError for a type that is not in `single.py`."""
    if tgt_type in _GRAINS:
        return _grains(str(tgt), _GRAINS[tgt_type], delimiter)
    if tgt_type in _PILLAR:
        return lambda resource, managed: _in_pillar(tgt, tgt_type, resource, managed, delimiter)
    return _MAKERS[tgt_type](tgt)


def is_glob(text: str) -> bool:
    """Return whether a text contains wildcards."""
    return any(sign in text for sign in "*?[")


def _resource(tgt: Any) -> Test:
    kind, _, name = str(tgt).partition(":")
    if is_glob(str(tgt)):
        of_type, of_id = _glob_test(kind), _glob_test(name or "*")
        return lambda resource, managed: of_type(resource.type) and of_id(resource.id)
    if name:
        return lambda resource, managed: resource.id == name and resource.type == kind
    return lambda resource, managed: resource.type == kind


def _managing_minion(tgt: Any) -> Test:
    of_minion = _glob_test(str(tgt))
    return lambda resource, managed: managed and of_minion(resource.minion.id)


def _glob(tgt: Any) -> Test:
    if not isinstance(tgt, str):
        return lambda resource, managed: False
    if tgt == "*":
        return lambda resource, managed: True
    if not is_glob(tgt):
        return lambda resource, managed: (
            resource.id == tgt or resource.srn == tgt or (managed and resource.minion.id == tgt)
        )
    means = _glob_test(tgt)
    return lambda resource, managed: means(resource.id) or means(resource.srn) or means(resource.minion.id)


def _list(tgt: Any) -> Test:
    if isinstance(tgt, str):
        names = {name.strip() for name in tgt.split(",")}
    else:
        listed = tgt if isinstance(tgt, (list, tuple, set, frozenset, Mapping)) else ()
        names = {name for name in listed if isinstance(name, str)}
    return lambda resource, managed: resource.id in names or resource.srn in names


def _pcre(tgt: Any) -> Test:
    def test(resource: Resource, managed: bool) -> bool:
        return match_pcre(tgt, MinionView(resource.id)) or match_pcre(tgt, MinionView(resource.srn))

    return test


def _ipcidr(tgt: Any) -> Test:
    def test(resource: Resource, managed: bool) -> bool:
        grains = resource.grains
        if grains.get("ipv4") or grains.get("ipv6"):
            return match_single(tgt, "ipcidr", MinionView(resource.id, grains))
        return managed and match_single(tgt, "ipcidr", resource.minion)

    return test


def _of_minion(tgt_type: str) -> Callable[[Any], Test]:
    """Return the factory for criteria that a resource meets through its minion only."""
    return lambda tgt: lambda resource, managed: managed and match_single(tgt, tgt_type, resource.minion)


def _in_pillar(tgt: Any, tgt_type: str, resource: Resource, managed: bool, delimiter: str) -> bool:
    own = MinionView(resource.id, pillar=resource.settings, exact_pillar=resource.minion.exact_pillar)
    if resource.settings and match_single(tgt, tgt_type, own, delimiter=delimiter):
        return True
    return managed and match_single(tgt, tgt_type, resource.minion, delimiter=delimiter)


def _grains(tgt: str, accepts: nested.Accepts, delimiter: str) -> Test:
    """Return the test of grains; results for text values are cached, as a fleet has few distinct ones."""
    key, found, pattern = tgt.partition(delimiter)
    is_plain = bool(found) and delimiter not in pattern and key != "*"
    known: dict[str, bool] = {}

    def test(resource: Resource, managed: bool) -> bool:
        value = resource.grains.get(key, _MISSING) if is_plain else _MISSING
        if type(value) is not str:
            return bool(found) and nested.matches_nested(resource.grains, tgt, accepts, delimiter=delimiter)
        answer = known.get(value)
        if answer is None:
            answer = accepts(value, pattern)
            if len(known) < _MAX_CACHED:
                known[value] = answer
        return answer

    return test


def _glob_test(pattern: str) -> Callable[[str], bool]:
    try:
        match = re.compile(fnmatch.translate(pattern)).match
    except re.error as exc:
        raise TargetError(f"glob {pattern!r} cannot be read: {exc}") from exc
    return lambda text: match(text) is not None


_MAKERS: dict[str, Callable[[Any], Test]] = {
    "data": _of_minion("data"),
    "glob": _glob,
    "ipcidr": _ipcidr,
    "list": _list,
    "managing_minion": _managing_minion,
    "pcre": _pcre,
    "range": _of_minion("range"),
    "resource": _resource,
}
