"""Source of resource pillar for `salt-g call --resources`: compiled locally or requested from the master.

A running minion gets resource pillar from its master at registration; a standalone call must get it itself.
Shapes: see `resource_model/pillar_requests.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.api import CallContext
from salt_g.errors import SaltGError
from salt_g.local_call import pillar_call
from salt_g.match.matchers import Resource
from salt_g.minion.resources.contexts import member, this_minion
from salt_g.minion.resources.managed import ManagedResources
from salt_g.pillar.compiler import SelectedEnvironments
from salt_g.pillar.resource_top import own_pillar
from salt_g.pillar.top import Tops
from salt_g.process.secret_hiding import learned
from salt_g.resource_model.pillar_requests import OwnPillars, own_pillars_in, request
from salt_g.resource_model.srn import Srn
from salt_g.services.daemons import MinionServices

if TYPE_CHECKING:
    from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)


def own_pillars(context: CallContext, managed: ManagedResources, *, is_local: bool) -> OwnPillars:
    """Return the function that supplies resource pillar for a call on this minion."""
    if not is_local:
        return lambda srns, saltenv, pillarenv: _asked(context, srns, saltenv, pillarenv)
    return lambda srns, saltenv, pillarenv: _made(context, managed, srns, saltenv, pillarenv)


def _asked(
    context: CallContext, srns: Sequence[str], saltenv: str | None, pillarenv: str | None
) -> Mapping[str, Any]:
    try:
        master = context.services.of(MinionServices).master
        return learned(own_pillars_in(master.ask_pillar(request(srns, saltenv, pillarenv))))
    except SaltGError as exc:
        # Stock's masters do not compile resource pillar.
        log.info("the master does not compile pillar for resources: %s", exc)
        return {}


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

    def compile(resource: Resource, named: Tops) -> PillarDict:
        settings = {**opts, "id": resource.id}
        grains = {**resource.grains, "id": resource.id}
        chosen = SelectedEnvironments(resource, named)
        with pillar_call(settings, grains, plugins, chosen=chosen) as compiler:  # type: ignore[arg-type]
            return compiler.compile(saltenv=saltenv, pillarenv=pillarenv, earlier={})

    minion = this_minion(context)
    known = [one for name in srns if (one := managed.of(Srn(*name.split(":", 1)))) is not None]
    return {str(one.srn): own_pillar(tops, member(one, minion), compile) for one in known}
