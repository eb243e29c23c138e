"""Stock's `salt.renderers.yamlex`: the renderer `yamlex`."""

from salt_g.compat.loader.tables import renderer

render = renderer("yamlex")

__all__ = ["render"]
