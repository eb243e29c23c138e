"""The room of grain modules: facts about this machine.

Files here are plugins: the loader finds them through this package's `__path__` and nobody
imports one by name. Files that begin with an underscore are shared knowledge of the room.
"""
