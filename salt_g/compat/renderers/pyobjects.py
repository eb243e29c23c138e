"""Stock's `salt.renderers.pyobjects`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("pyobjects")

__all__ = ["render"]
