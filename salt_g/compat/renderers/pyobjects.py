"""Stock's `salt.renderers.pyobjects`: the renderer `pyobjects`."""

from salt_g.compat.loader.tables import renderer

render = renderer("pyobjects")

__all__ = ["render"]
