"""Checks of references that the compiler ignores: `listen`, which is resolved after a run, and `use`.

Shapes: `listen_problems` takes low chunks, `use_problems` verified high data; both yield findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from salt_g.shapes import LowChunk
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.lookup import Lookup
from salt_g.state.compile.verify import verified
from salt_g.state.compile.vocabulary import declared_modules, first_key, is_internal

#: Kinds of requisites whose dangling references the compiler does not report.
_LISTENING = ("listen", "listen_in")
_COPYING = ("use", "use_in")


def listen_problems(chunks: Sequence[LowChunk]) -> Iterator[Problem]:
    """Yield a finding for each `listen` and `listen_in` of a state that does not exist."""
    declaring = [low for low in chunks if not low.keys().isdisjoint(_LISTENING)]
    known = _names(chunks) if declaring else {}
    for low in declaring:
        for kind in _LISTENING:
            for module, value in _references(dict(low).get(kind)):
                names = known.get(module, {})
                if value not in names:
                    sls, state_id = str(low.get("__sls__") or ""), low["__id__"]
                    yield _dangling(sls, state_id, low["state"], (kind, module, value), names)


def use_problems(high: HighData) -> Iterator[Problem]:
    """Yield a finding for each `use` and `use_in` of a state that does not exist."""
    lookup: Lookup | None = None
    for state_id, body in verified(high).items():
        if is_internal(state_id):
            continue
        for module, arguments in declared_modules(body):
            for kind, items in _copied(arguments):
                lookup = lookup or Lookup(high)
                for target, value in _references(items):
                    if not _exists(high, lookup, target, value):
                        about = (kind, target, value)
                        ids = [key for key in high.declarations if not is_internal(key)]
                        yield _dangling(str(body.get("__sls__") or ""), state_id, module, about, ids)


def _copied(arguments: Any) -> Iterator[tuple[str, Any]]:
    for item in arguments if isinstance(arguments, list) else ():
        if isinstance(item, dict) and (key := first_key(item)) in _COPYING:
            yield key, item[key]


def _references(items: Any) -> Iterator[tuple[str, str]]:
    """Yield (module, name) of each reference; the module is `id` if the reference has none."""
    for item in items if isinstance(items, list) else [items]:
        if isinstance(item, str):
            yield "id", item
        elif isinstance(item, dict):
            yield from ((str(module), value) for module, value in item.items() if isinstance(value, str))


def _exists(high: HighData, lookup: Lookup, module: str, value: str) -> bool:
    if module == "id":
        return isinstance(high.declarations.get(value), dict) or lookup.by_name(value) is not None
    if module == "sls":
        return bool(lookup.by_sls(value))
    return bool(lookup.target(value, module.partition(".")[0], has_module=True))


def _names(chunks: Iterable[LowChunk]) -> dict[str, dict[str, None]]:
    """Return {module: IDs and names of its states}, with those of all modules under `id`."""
    known: dict[str, dict[str, None]] = {}
    for low in chunks:
        for module in (low["state"], "id"):
            known.setdefault(module, {}).update({str(low["__id__"]): None, str(low["name"]): None})
    return known


def _dangling(
    sls: str, state_id: Any, own: str, reference: tuple[str, str, str], known: Iterable[Any]
) -> Problem:
    kind, module, value = reference
    return Problem(
        f"Referenced state does not exist for requisite [{kind}: ({module}: {value})] "
        f"in state [{state_id}] in SLS [{sls}]",
        sls=sls,
        state_id=state_id,
        wanted=value,
        known=list(known),
        words=(own, kind, f"{module}: {value}", value),
    )
