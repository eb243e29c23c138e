"""Stock's `salt.renderers.jinja`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("jinja")

__all__ = ["render"]
