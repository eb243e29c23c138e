"""Source of resource pillar for `salt-g call --resources`: compiled locally or requested from the master.

A running minion gets it from its master while it registers; a standalone call must find the source itself.
Shapes: see `minion/resources/resource_call_pillar.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.api import CallContext
from salt_g.errors import SaltGError
from salt_g.local_call import pillar_call
from salt_g.match.matchers import Resource
from salt_g.minion.resources.contexts import member, this_minion
from salt_g.minion.resources.managed import ManagedResources
from salt_g.minion.resources.resource_call_pillar import OwnPillars
from salt_g.pillar.compiler import SelectedEnvironments
from salt_g.pillar.resource_top import own_pillar
from salt_g.pillar.top import Tops
from salt_g.resource_model.srn import Srn

log = logging.getLogger(__name__)


def own_pillars(context: CallContext, managed: ManagedResources, *, is_local: bool) -> OwnPillars:
    """Return the source of resource pillar for a call of this minion."""
    if not is_local:
        return lambda srns, saltenv, pillarenv: _asked(context, srns, saltenv, pillarenv)
    return lambda srns, saltenv, pillarenv: _made(context, managed, srns, saltenv, pillarenv)


def _asked(
    context: CallContext, srns: Sequence[str], saltenv: str | None, pillarenv: str | None
) -> Mapping[str, Any]:
    load = {"resources": list(srns), "saltenv": saltenv, "pillarenv": pillarenv}
    try:
        told = context.services.master.ask_pillar({**load, "cmd": "_resource_pillars"})
    except SaltGError as exc:
        # Stock's masters do not compile resource pillar.
        log.info("the master does not compile pillar for resources: %s", exc)
        return {}
    return told if isinstance(told, dict) else {}


def _made(
    context: CallContext,
    managed: ManagedResources,
    srns: Sequence[str],
    saltenv: str | None,
    pillarenv: str | None,
) -> Mapping[str, Any]:
    opts, plugins = context.opts, context.services.plugins
    with pillar_call(opts, context.grains, plugins) as compiler:  # type: ignore[arg-type]
        tops, _ = compiler.top(saltenv, pillarenv)

    def compile(resource: Resource, named: Tops) -> dict[str, Any]:
        settings = {**opts, "id": resource.id}
        grains = {**resource.grains, "id": resource.id}
        chosen = SelectedEnvironments(resource, named)
        with pillar_call(settings, grains, plugins, chosen=chosen) as compiler:  # type: ignore[arg-type]
            return compiler.compile(saltenv=saltenv, pillarenv=pillarenv, earlier={})

    minion = this_minion(context)
    known = [one for name in srns if (one := managed.of(Srn(*name.split(":", 1)))) is not None]
    return {str(one.srn): own_pillar(tops, member(one, minion), compile) for one in known}
