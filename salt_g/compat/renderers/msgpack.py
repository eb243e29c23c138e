"""Stock's `salt.renderers.msgpack`: the renderer `msgpack`."""

from salt_g.compat.loader.tables import renderer

render = renderer("msgpack")

__all__ = ["render"]
