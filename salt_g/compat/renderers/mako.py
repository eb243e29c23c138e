"""Stock's `salt.renderers.mako`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("mako")

__all__ = ["render"]
