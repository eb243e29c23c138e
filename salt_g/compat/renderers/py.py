"""Stock's `salt.renderers.py`: the renderer `py`."""

from salt_g.compat.loader.tables import renderer

render = renderer("py")

__all__ = ["render"]
