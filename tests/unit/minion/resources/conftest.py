"""Resources of a minion without daemons: types in a temporary directory, pillar as a dict."""

import pytest

from salt_g.api import CallContext
from salt_g.loader import Loader
from salt_g.minion.resources.managed import ManagedResources
from salt_g.minion.resources.types import ResourceTypes
from salt_g.minion.settings import DiscoverySettings
from salt_g.services.plugins import Services


@pytest.fixture
def managed(tmp_path):
    """Return a function that makes and refreshes resources: `managed({"type": {...}}, files={...})`.

    Its `.pillar` may be changed.
    """

    def build(resources, files=None, **settings):
        for name, text in (files or {}).items():
            path = tmp_path / "root" / "resources" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        opts = {
            "id": "m1",
            "cachedir": str(tmp_path / "cache"),
            "module_dirs": [str(tmp_path / "root")],
            "resource_fan_out": 10,
            "resource_timeout": 1,
            **settings,
        }
        (tmp_path / "cache").mkdir(exist_ok=True)
        loader = Loader(opts)
        pillar = {"resources": resources}

        def minion():
            services = Services(plugins=lambda: loader, files=lambda: None, pillars=lambda: None)
            return CallContext(opts=opts, grains={"id": "m1", "os": "X"}, pillar=pillar, services=services)

        made = ManagedResources(DiscoverySettings.of(opts), ResourceTypes(opts, loader), minion)
        made.pillar = pillar
        made.refresh()
        return made

    return build


@pytest.fixture
def context_of(managed):
    """Return a factory: `context_of(managed, srn)` returns the call context for one resource."""

    def build(made, srn):
        return made.contexts(made._minion()).of(made.of(srn))

    return build
