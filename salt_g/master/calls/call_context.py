"""Put the call of a runner or wheel function together.

Why its own file: what runs on the master sees the files, pillar and grains of the master, as a
masterless minion does (so orchestration is an ordinary state run), and the fleet beside it.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import CallContext
from salt_g.local_call import local_context
from salt_g.shapes import Opts


def master_context(settings: Opts, **offered: Any) -> CallContext:
    """Return the context of a call on the master; `offered` are services, see `salt_g/daemon_services.py`.

    Plugins, grains and pillar are read anew for each call, as a stock master does: who changes
    a runner or the pillar need not restart a daemon.
    """
    context = local_context(settings)
    factories = {name: (lambda service=service: service) for name, service in offered.items()}
    return context.replace(services=context.services.replace(**factories))
