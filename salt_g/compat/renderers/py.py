"""Stock's `salt.renderers.py`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("py")

__all__ = ["render"]
