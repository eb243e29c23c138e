"""Stock's `salt.renderers.stateconf`: the renderer `stateconf`."""

from salt_g.compat.loader.tables import renderer

render = renderer("stateconf")

__all__ = ["render"]
