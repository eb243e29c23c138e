"""State modules.

Files and packages here are plugins: the loader finds them through this package's `__path__`. Code elsewhere
does not import them by name, except for the aliases of stock's modules in `salt_g.compat`. Files whose names
begin with an underscore hold code shared by several states.
"""
