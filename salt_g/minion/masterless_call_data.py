"""What a minion without a master keeps from job to job (`master_type: disable`, `file_client: local`).

Why its own file: schedule and beacons run there all the same, with the files and pillar of this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import CallContext
from salt_g.loader import Loader
from salt_g.local_call import local_context
from salt_g.minion.call_data import CallData


class MasterlessCallData(CallData):
    """Makes call contexts that need no master."""

    def __init__(
        self, opts: Mapping[str, Any], *, loader: Loader, services: Mapping[str, Callable[[], Any]]
    ) -> None:
        super().__init__(opts, None, loader=loader, services=services)

    def context(self, fun: str = "") -> CallContext:
        """Return a context for a call of `fun`."""
        context = local_context(self.opts)
        offered = context.services.replace(plugins=lambda: self.loader, **self._services)
        return context.replace(services=offered, grains=self.grains, pillar=self.pillar)
