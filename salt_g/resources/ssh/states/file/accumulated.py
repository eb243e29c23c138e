"""Accumulators: texts that states collect for a file of the host that a later state writes.

`managed` and `blockreplace` read what `accumulated` collects. The texts are kept by job and host, because
states of many hosts share the managing minion.
Shapes: {file: {accumulator: [text]}}, and {file: {accumulator: [id of a state that uses it]}}.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import current, resource, scratch
from salt_g.resources.ssh.states.file._outcome import result
from salt_g.shapes import StateReturn

_KEY = "file.accumulated"

Texts = dict[str, list[Any]]


def accumulated(name: str, filename: str, text: Any, **kwargs: Any) -> StateReturn:
    """Collect text for the file `filename`, used by the file states in `require_in` or `watch_in`.

    In a template, the collected texts are the list `accumulator[name]`.

    Example::

        proxy upstreams:
          file.accumulated:
            - filename: /etc/proxy.conf
            - text: server web1;
            - require_in:
              - file: /etc/proxy.conf
    """
    if not name:
        return result(name, False, "Must provide name to file.accumulated")
    if text is None:
        return result(name, False, "No text supplied for accumulator")
    low = current().low
    waiting = [*low.get("require_in", []), *low.get("watch_in", [])]
    if not any("file" in item for item in waiting):
        return result(name, False, f"Orphaned accumulator {name} in {low['__sls__']}:{low['__id__']}")
    texts, waiters = _collected()
    waiters.setdefault(filename, {}).setdefault(name, []).extend(_ids(waiting))
    present = texts.setdefault(filename, {}).setdefault(name, [])
    count = len(present)
    for item in [text] if isinstance(text, (str, dict)) else text:
        if item not in present:
            present.append(item)
    said = f"Accumulator {name} for file {filename} was charged by text"
    return result(name, True, said if len(present) > count else "")


def accumulated_texts(filename: str) -> Texts:
    """Return the texts collected for a file, by accumulator."""
    return _collected()[0].get(filename, {})


def texts_for_state(filename: str, state_id: str) -> list[Any]:
    """Return the texts of the accumulators that name this state, or of all accumulators if none does."""
    texts, waiters = _collected()
    collected = texts.get(filename, {})
    mine = [name for name, ids in waiters.get(filename, {}).items() if state_id in ids and name in collected]
    return [text for name in mine or collected for text in collected[name]]


def _collected() -> tuple[dict[str, Texts], dict[str, Texts]]:
    job = current().job.get("jid", "")
    by_host = scratch.setdefault(_KEY, {})
    kept, found = by_host.get(resource["id"], (None, ({}, {})))
    if kept != job:
        found = ({}, {})
        by_host[resource["id"]] = (job, found)
    both: tuple[dict[str, Texts], dict[str, Texts]] = found
    return both


def _ids(waiting: list[Any]) -> list[str]:
    return [id for item in waiting for id in (item.values() if isinstance(item, dict) else [item])]
