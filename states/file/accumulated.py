"""Texts collected by states for a file that a later state writes.

`managed` and `blockreplace` read what `accumulated` collects. The texts are kept in the call's scratch space,
per job, so that two runs in one daemon do not mix.
Shapes: {file: {accumulator: [texts]}}; likewise for the ids of the states that use them.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import current, scratch
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed

_KEY = "file.accumulated"

Texts = dict[str, list[Any]]


def accumulated(name: str, filename: str, text: Any, **kwargs: Any) -> StateReturn:
    """Collect text for the file `filename`, which a later file state writes.

    `text` is a text or a list of them. `require_in` or `watch_in` must name the file state. A template of
    `file.managed` gets the texts as `accumulator[name]`, a list.

    Example::

        proxy upstreams:
          file.accumulated:
            - filename: /etc/proxy.conf
            - text: server web1;
            - require_in:
              - file: /etc/proxy.conf
    """
    if not name:
        return failed(name, "Must provide name to file.accumulated")
    if text is None:
        return failed(name, "No text supplied for accumulator")
    low = current().low
    waiting = [*low.get("require_in", []), *low.get("watch_in", [])]
    if not any("file" in item for item in waiting):
        return failed(name, f"Orphaned accumulator {name} in {low['__sls__']}:{low['__id__']}")
    texts, waiters = _collected()
    waiters.setdefault(filename, {}).setdefault(name, []).extend(_ids(waiting))
    present = texts.setdefault(filename, {}).setdefault(name, [])
    new = [item for item in ([text] if isinstance(text, (str, dict)) else text) if item not in present]
    present.extend(dict.fromkeys(new) if all(isinstance(item, str) for item in new) else new)
    return as_wanted(name, f"Accumulator {name} for file {filename} was charged by text" if new else "")


def accumulated_texts(filename: str) -> Texts:
    """Return the texts collected for a file, by accumulator."""
    return _collected()[0].get(filename, {})


def texts_for_state(filename: str, state_id: str) -> list[Any]:
    """Return the texts of the accumulators that name this state, or of all accumulators if none names it."""
    texts, waiters = _collected()
    collected = texts.get(filename, {})
    mine = [name for name, ids in waiters.get(filename, {}).items() if state_id in ids and name in collected]
    return [text for name in mine or collected for text in collected[name]]


def _collected() -> tuple[dict[str, Texts], dict[str, Texts]]:
    job = current().job.get("jid", "")
    by_job = scratch.get(_KEY)
    if by_job is None or job not in by_job:
        by_job = {job: ({}, {})}
        scratch[_KEY] = by_job
    found: tuple[dict[str, Texts], dict[str, Texts]] = by_job[job]
    return found


def _ids(waiting: list[Any]) -> list[str]:
    return [
        state_id for item in waiting for state_id in (item.values() if isinstance(item, dict) else [item])
    ]
