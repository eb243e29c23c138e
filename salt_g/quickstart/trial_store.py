"""Check that a trial does not use a store with the data of a master.

Errors: StoreError; StoreFilled for a store with data of other minions.
"""

from __future__ import annotations

from collections.abc import Collection

from salt_g.cache.store import Store
from salt_g.errors import StoreFilled

#: Queries for a minion in the store that does not belong to the trial.
_OTHERS = (
    "SELECT id FROM returns WHERE id NOT IN ({marks}) LIMIT 1",
    "SELECT key FROM entries WHERE bank IN ('grains', 'pillar', 'mine') AND key NOT IN ({marks}) LIMIT 1",
)
_ADVICE = "name a database without a master's data: a trial would put its own among it"


def check_trial(store: Store, ids: Collection[str]) -> None:
    """Raise StoreFilled if a store has data of minions other than `ids`, the minions of a trial."""
    marks = ", ".join("?" * len(ids))
    for query in _OTHERS:
        others = store.read(query.format(marks=marks), tuple(ids))
        if others:
            raise StoreFilled(store.path, f"has data of the minion {others[0][0]}; {_ADVICE}")
