"""Stock's `salt.renderers.nacl`: the renderer `nacl`."""

from salt_g.compat.loader.tables import renderer

render = renderer("nacl")

__all__ = ["render"]
