"""Stock's `salt.renderers.toml`: the renderer `toml`."""

from salt_g.compat.loader.tables import renderer

render = renderer("toml")

__all__ = ["render"]
