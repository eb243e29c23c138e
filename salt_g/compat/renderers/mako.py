"""Stock's `salt.renderers.mako`: the renderer `mako`."""

from salt_g.compat.loader.tables import renderer

render = renderer("mako")

__all__ = ["render"]
