"""Stock's `salt.renderers.json`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("json")

__all__ = ["render"]
