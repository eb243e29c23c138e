"""Chunks that run after all others: listeners, and beacons of states with the argument `beacon`.

A listener is a chunk whose mod_watch runs if a state that it listens to has changes; a beacon's chunk calls
`mod_beacon`, which configures the beacon.
Shapes: `collect_listeners` takes the nodes that ran and the running dict, and returns the listener nodes and
an error return for each reference that matches no chunk. A listener runs once, however many changes triggered
it. `beacon_nodes` takes the nodes that ran and returns their beacon nodes in the same order.
Source: stock docs on listen/listen_in and on the `beacon` argument; conformance cases `req/listen*`; tested.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, cast

from salt_g.shapes import LowChunk, LowTag, Running, StateReturn, low_tag
from salt_g.state.compile.node import Node
from salt_g.state.compile.vocabulary import REQUISITES

#: (module, ID, name or tag); the module `id` stands for any module.
Reference = tuple[str, Any]


class Listeners:
    """Listeners to run, by tag, and dangling references, by tag."""

    def __init__(self) -> None:
        self.listeners: dict[str, Node] = {}
        self.errors: dict[str, StateReturn] = {}

    def sort(self) -> None:
        """Sort the listeners so that those of one ID run one after the other, as in stock."""
        ids = {node: (node.low["state"], node.low["__id__"]) for node in self.listeners.values()}
        places = {one: place for place, one in enumerate(dict.fromkeys(ids.values()))}
        self.listeners = dict(sorted(self.listeners.items(), key=lambda item: places[ids[item[1]]]))


def collect_listeners(
    nodes: Iterable[Node], running: Mapping[str, StateReturn], *, previewed: Container[str] = ()
) -> Listeners:
    """Return the listeners of a finished run; `previewed` has the tags of the chunks that it previewed."""
    nodes = list(nodes)
    chunks = list({node.tag: node.low for node in nodes}.values())
    found = Listeners()
    declaring = [low for low in chunks if "listen" in low or "listen_in" in low]
    table = _table(chunks) if declaring else {}
    for low in declaring:
        for listener, target in _listenings(low, table):
            _collect_listener(found, table, listener, target, running)
    found.sort()
    for node in nodes if found.listeners else ():
        if _is_skipped_preview(node, running, previewed):
            found.listeners.pop(_listener_node(node.low).tag, None)
    return found


def _is_skipped_preview(node: Node, running: Mapping[str, StateReturn], previewed: Container[str]) -> bool:
    """Return whether the preview of a chunk for a `prereq` was skipped or never made.

    Stock does not call such a listener. A run that stops early makes only some of the previews.
    """
    if node.preview is None:
        return False
    ret = running.get(node.tag)
    return node.tag not in previewed if ret is None else not ret.get("__state_ran__", True)


def _collect_listener(
    found: Listeners,
    table: Mapping[Reference, list[LowChunk]],
    listener: Reference,
    target: Reference,
    running: Mapping[str, StateReturn],
) -> None:
    if target not in table:
        _add_error(found, target)
        return
    if not any(running.get(low_tag(low), {}).get("changes") for low in table[target]):
        return
    if listener not in table:
        _add_error(found, listener)
    for low in table.get(listener, ()):
        node = _listener_node(low)
        found.listeners.setdefault(node.tag, node)


def _listenings(
    low: LowChunk, table: Mapping[Reference, list[LowChunk]]
) -> Iterator[tuple[Reference, Reference]]:
    """Yield (listener, target) for the `listen` and `listen_in` of a chunk."""
    own = (low["state"], low["__id__"])
    for item in low.get("listen", ()):
        # If an ID has several names, the listener is the one chunk that declares `listen`.
        yield from ((_exact(low), target) for target in _references(item, table))
    for item in low.get("listen_in", ()):
        yield from ((listener, own) for listener in _references(item, table))


def _exact(low: LowChunk) -> Reference:
    return (low["state"], low_tag(low))


def _references(item: Any, table: Mapping[Reference, list[LowChunk]]) -> list[Reference]:
    if isinstance(item, dict):
        return [(module, value) for module, value in item.items() if value.__hash__ is not None]
    found = table.get(("id", item), ())
    return [(low["state"], low["__id__"]) for low in found[:1]]


def _table(chunks: Iterable[LowChunk]) -> dict[Reference, list[LowChunk]]:
    """Return the chunks by each name that a reference may use."""
    table: dict[Reference, list[LowChunk]] = {}
    for low in chunks:
        table[_exact(low)] = [low]
        for name in {low["__id__"], low["name"]}:
            table.setdefault((low["state"], name), []).append(low)
            table.setdefault(("id", name), []).append(low)
    return table


def _listener_node(low: LowChunk) -> Node:
    kept = {key: value for key, value in low.items() if key not in REQUISITES}
    called = {"sfun": low["fun"], "fun": "mod_watch", "__id__": f"listener_{low['__id__']}"}
    listener = cast("LowChunk", {**kept, **called})
    return Node(listener, tag=low_tag(listener))


def _add_error(found: Listeners, reference: Reference) -> None:
    module, value = reference
    tag = LowTag("Listen_Error", f"listen_{value}", f"listen_{module}", "Listen_Error")
    found.errors[str(tag)] = {
        "comment": f"Referenced state {module}: {value} does not exist",
        "name": f"listen_{module}:{value}",
        "result": False,
        "changes": {},
    }


def number_errors(found: Listeners, numbers: Iterator[int]) -> Running:
    """Return the errors with run numbers that follow those of all executed chunks."""
    return {tag: {**ret, "__run_num__": next(numbers)} for tag, ret in found.errors.items()}


def beacon_nodes(nodes: Iterable[Node]) -> list[Node]:
    """Return a node for each chunk with a `beacon` argument."""
    return [_beacon_node(node.low) for node in nodes if "beacon" in node.low and not node.is_preview]


def _beacon_node(low: LowChunk) -> Node:
    kept = cast("LowChunk", {key: value for key, value in low.items() if key not in REQUISITES})
    chunk: LowChunk = {**kept, "sfun": low["fun"], "fun": "mod_beacon", "__id__": f"beacon_{low['__id__']}"}
    return Node(chunk, tag=low_tag(chunk))
