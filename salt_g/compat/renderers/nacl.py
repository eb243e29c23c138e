"""Stock's `salt.renderers.nacl`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("nacl")

__all__ = ["render"]
