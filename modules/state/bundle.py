"""State runs from bundles: compiled chunks packed elsewhere with the files that they need."""

from __future__ import annotations

from typing import Any

from salt_g.api import services
from salt_g.modules.state._running import run_states


def pkg(pkg_path: str, pkg_sum: str, hash_type: str, test: bool | None = None, **kwargs: Any) -> Any:
    """Run a gzipped tar bundle (`lowstate.json`, `pillar.json`, a folder of files per saltenv).

    `pkg_sum` is the hex digest of the bundle by `hash_type`. The result is {} if the bundle is missing,
    damaged or has another digest.

    Example::

        salt-g state.pkg /tmp/salt_state.tgz 760a9353810e36f6d81416366fc426dc md5
    """
    bundle = services().states.open_bundle(pkg_path, pkg_sum, hash_type)
    if bundle is None:
        return {}
    with bundle:
        return run_states(lambda engine: engine.apply_bundle(bundle), kwargs, test=test)
