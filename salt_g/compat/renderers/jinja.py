"""Stock's `salt.renderers.jinja`: the renderer `jinja`."""

from salt_g.compat.loader.tables import renderer

render = renderer("jinja")

__all__ = ["render"]
