"""Call data of a minion without a master (`master_type: disable`, `file_client: local`).

Schedule and beacons also run on such a minion, with the files and pillar of this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import CallContext
from salt_g.loader import Loader
from salt_g.local_call import local_context
from salt_g.minion.call_data import CallData
from salt_g.minion.minion_context import own_master_services
from salt_g.services.daemons import MinionServices
from salt_g.shapes import Opts


class MasterlessCallData(CallData):
    """Factory of call contexts without a master."""

    def __init__(self, opts: Opts, *, loader: Loader, services: Mapping[str, Callable[[], Any]]) -> None:
        super().__init__(opts, None, loader=loader, services=services)

    def context(self, fun: str = "") -> CallContext:
        """Return a context for a call of `fun`."""
        context = local_context(self.opts)
        offered = context.services.extended(
            MinionServices,
            plugins=lambda: self.loader,
            **{**own_master_services(self.opts), **self._services},
        )
        return context.replace(services=offered, grains=self.grains, pillar=self.pillar)
