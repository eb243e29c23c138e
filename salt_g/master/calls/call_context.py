"""Context of runner and wheel calls.

Code on the master sees the files, pillar and grains of the master, as on a masterless minion (so
orchestration is an ordinary state run), and can also reach the minions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.api import CallContext
from salt_g.local_call import local_context
from salt_g.services.daemons import MasterServices
from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.cache.store import Store


def master_context(settings: Opts, **offered: Any) -> CallContext:
    """Return the context of a call on the master; `offered` are services, see `salt_g/services/daemons.py`.

    Plugins, grains and pillar are reloaded for each call, as on a stock master: changing a runner or the
    pillar needs no restart of a daemon.
    """
    context = local_context(settings)
    factories = {name: (lambda service=service: service) for name, service in offered.items()}
    return context.replace(services=context.services.extended(MasterServices, **factories))


def read_set_service(opts: Opts, store: Store) -> dict[str, Any]:
    """Return {"read_sets": the index}, or {} for a master that keeps no read-sets."""
    if not opts["impact"]:
        return {}
    from salt_g.cache.read_sets import ReadSets  # Imported lazily: few masters have it.

    return {"read_sets": ReadSets(store)}
