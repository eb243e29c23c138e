"""Stock's `salt.renderers.msgpack`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("msgpack")

__all__ = ["render"]
