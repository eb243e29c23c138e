"""Stock's `salt.renderers.stateconf`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("stateconf")

__all__ = ["render"]
