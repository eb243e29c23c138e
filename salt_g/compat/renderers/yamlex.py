"""Stock's `salt.renderers.yamlex`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("yamlex")

__all__ = ["render"]
