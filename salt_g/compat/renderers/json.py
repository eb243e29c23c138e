"""Stock's `salt.renderers.json`: the renderer `json`."""

from salt_g.compat.loader.tables import renderer

render = renderer("json")

__all__ = ["render"]
