"""Stock's `salt.renderers`: the built-in renderers as modules with a function `render`."""
