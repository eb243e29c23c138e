"""Stock's `salt.renderers.gpg`: one renderer."""

from salt_g.compat.loader.tables import renderer

render = renderer("gpg")

__all__ = ["render"]
