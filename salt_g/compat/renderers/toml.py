"""Stock's `salt.renderers.toml`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("toml")

__all__ = ["render"]
