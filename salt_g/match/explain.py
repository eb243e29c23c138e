"""Explanation of a match or mismatch: each term of a target and the value it was compared with.

Shapes: `terms_of(...) -> [Term]`, `finding_of(term, minion) -> TermFinding`.
Errors: TargetError for a malformed target, which matchers only log and which matches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.data.nested import DELIMITER, traverse
from salt_g.errors import TargetError
from salt_g.match import compound
from salt_g.match.matchers import TYPES, check_delimiter
from salt_g.match.minion_view import MinionView
from salt_g.match.resource import Resource, test_resources
from salt_g.match.single import addresses_of, match_single
from salt_g.resource_model.pillar_settings import MASK, without_secrets

_GRAINS = ("grain", "grain_pcre")
_PILLAR = ("pillar", "pillar_pcre", "pillar_exact")
_MISSING = object()


class Term(NamedTuple):
    """One criterion of a target; `word` is the criterion as written."""

    word: str
    tgt_type: str
    pattern: Any
    delimiter: str = DELIMITER

    @property
    def part(self) -> str:
        """Source of the compared value: `grains`, `pillar`, or '' if the id is sufficient."""
        if self.tgt_type in _PILLAR:
            return "pillar"
        return "grains" if self.tgt_type in (*_GRAINS, "ipcidr", "range") else ""


class TermFinding(NamedTuple):
    """Result of a term for one member, and the value compared; `is_there` says whether that value exists."""

    matched: bool
    compared: str
    value: Any = None
    is_there: bool = True


def terms_of(
    tgt: Any, tgt_type: str, *, delimiter: str = DELIMITER, nodegroups: Mapping[str, Any]
) -> list[Term]:
    """Return the terms of a target in written order; raise TargetError if it is malformed."""
    if tgt_type not in TYPES:
        raise TargetError(f"target type {tgt_type!r} does not exist; valid types: {', '.join(sorted(TYPES))}")
    check_delimiter(delimiter)
    if tgt_type in ("compound", "nodegroup"):
        words = compound.criteria(tgt if tgt_type == "compound" else [f"N@{tgt}"], nodegroups)
        terms = [Term(word, *compound.split_word(word)) for word in words]
    else:
        terms = [Term(_written(tgt), tgt_type, tgt, delimiter)]
    for term in terms:
        _check(term)
    return terms


def check_target(
    tgt: Any, tgt_type: str, *, delimiter: str = DELIMITER, nodegroups: Mapping[str, Any]
) -> None:
    """Raise TargetError for a malformed target, with the target in the message."""
    try:
        terms_of(tgt, tgt_type, delimiter=delimiter, nodegroups=nodegroups)
    except TargetError as exc:
        if tgt and str(tgt) in str(exc):
            raise
        raise TargetError(f"target {tgt!r}: {exc}") from exc


def finding_of(term: Term, minion: MinionView) -> TermFinding:
    """Return the finding of a term for a minion."""
    matched = match_single(term.pattern, term.tgt_type, minion, delimiter=term.delimiter)
    if term.tgt_type in (*_GRAINS, *_PILLAR):
        path, value = _nested_value(getattr(minion, term.part), term.pattern, term.delimiter)
        found = None if value is _MISSING else value
        return TermFinding(matched, f"{term.part} {path}", found, is_there=value is not _MISSING)
    if term.tgt_type == "ipcidr":
        addresses = [*addresses_of(minion, 4), *addresses_of(minion, 6)]
        return TermFinding(matched, "grains ipv4, ipv6", addresses, is_there=bool(addresses))
    if term.tgt_type == "range":
        return TermFinding(matched, "grains fqdn", minion.grains.get("fqdn"))
    if term.tgt_type == "resource":
        return TermFinding(matched, "resources: a minion is not one")
    return TermFinding(matched, "id", minion.id)


def finding_of_resource(term: Term, resource: Resource, *, managed: bool) -> TermFinding:
    """Return the finding of a term for a resource; `managed` says whether words about minions apply."""
    matched = test_resources(term.pattern, term.tgt_type, term.delimiter)(resource, managed)
    if term.tgt_type in _GRAINS or (term.tgt_type == "ipcidr" and _has_addresses(resource)):
        own = finding_of(term, MinionView(resource.id, resource.grains))
        return own._replace(matched=matched)
    if term.tgt_type in _PILLAR:
        return _finding_in_settings(term, resource, matched)
    if term.tgt_type in ("resource", "pcre", "list"):
        return TermFinding(matched, "name", resource.srn)
    if term.tgt_type == "glob":
        return TermFinding(matched, "name and minion", [resource.srn, resource.minion.id])
    return TermFinding(matched, "minion", resource.minion.id)


def _finding_in_settings(term: Term, resource: Resource, matched: bool) -> TermFinding:
    """Return the finding in a resource's settings, or else a reference to its minion's pillar."""
    path, value = _nested_value(resource.settings, term.pattern, term.delimiter)
    if value is _MISSING:
        return TermFinding(matched, f"settings {path}, then pillar of {resource.minion.id}", is_there=False)
    return TermFinding(matched, f"settings {path}", _shown(path, value))


def _shown(path: str, value: Any) -> Any:
    """Return the value of a setting, masked if the setting's name is that of a secret."""
    shown = str(value)
    return value if without_secrets(shown, {path: value}) == shown else MASK


def _has_addresses(resource: Resource) -> bool:
    return bool(resource.grains.get("ipv4") or resource.grains.get("ipv6"))


def _check(term: Term) -> None:
    """Raise TargetError for a term that cannot match anything because of its syntax."""
    if term.tgt_type in (*_GRAINS, *_PILLAR) and term.delimiter not in str(term.pattern):
        form = f"key{term.delimiter}value"
        raise TargetError(f"target {term.word!r} has no {term.delimiter!r} in it; write {form}")
    if term.tgt_type in compound.REGEX_TYPES:
        compound.check_regex(str(term.pattern), term.tgt_type, term.delimiter)
    if term.tgt_type == "ipcidr":
        _check_network(term)


def _check_network(term: Term) -> None:
    import ipaddress

    try:
        ipaddress.ip_network(term.pattern)
    except (ValueError, TypeError) as exc:
        raise TargetError(f"target {term.word!r} is neither an address nor a network: {exc}") from exc


def _nested_value(data: Mapping[str, Any], expr: str, delimiter: str) -> tuple[str, Any]:
    """Return (path, value) compared with an expression: the deepest path that exists."""
    parts = str(expr).split(delimiter)
    for end in range(len(parts) - 1, 0, -1):
        path = delimiter.join(parts[:end])
        value = traverse(data, path, _MISSING, delimiter=delimiter)
        if value is not _MISSING:
            return path, value
    return delimiter.join(parts[:-1]), _MISSING


def _written(tgt: Any) -> str:
    return ",".join(map(str, tgt)) if isinstance(tgt, (list, tuple)) else str(tgt)
