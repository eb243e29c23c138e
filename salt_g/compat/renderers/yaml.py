"""Stock's `salt.renderers.yaml`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("yaml")

__all__ = ["render"]
