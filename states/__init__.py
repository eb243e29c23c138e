"""State modules.

Files here are plugins: the loader finds them through this package's `__path__`, and no code imports one by
name. Files whose names begin with an underscore hold code shared by several states.
"""
