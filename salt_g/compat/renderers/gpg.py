"""Stock's `salt.renderers.gpg`: the renderer `gpg`."""

from salt_g.compat.loader.tables import renderer

render = renderer("gpg")

__all__ = ["render"]
