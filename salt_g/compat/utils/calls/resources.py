"""Stock's `salt.utils.resources`: declarations of resources in pillar."""

from collections.abc import Mapping
from typing import Any

from salt_g.resource_model.pillar_settings import declared, key_of


def resource_pillar_key(opts: Mapping[str, Any]) -> str:
    """Return the pillar key below which resources are declared."""
    return key_of(opts)


def pillar_resources_tree(opts: Mapping[str, Any]) -> dict[str, Any]:
    """Return {type: pillar data of the type}; `opts` contain the pillar."""
    return dict(declared(opts.get("pillar") or {}, opts))
