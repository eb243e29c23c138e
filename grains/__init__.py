"""The room of grain modules: facts about this machine.

Files here are plugins: the loader finds them through this package's `__path__` and nobody
imports one by name. Files that begin with an underscore are shared knowledge of the room.

Every public function returns a dict of grains. All files serve under the name `core`, as
Salt's do: a user's `_grains/cpu.py` then stands beside ours and not in its place. A function
with a parameter `grains` runs after those without and gets what they found; one with a
parameter `root` can be pointed at a recorded tree.
"""
