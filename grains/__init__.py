"""Grain modules: facts about this machine.

Files here are plugins: the loader finds them through this package's `__path__`, and no code imports one by
name. Files whose names begin with an underscore hold code shared by several grain modules.

Every public function returns a dict of grains. All files are loaded under the name `core`, as Salt's are: a
user's `_grains/cpu.py` therefore adds to ours instead of replacing it. A function with a parameter `grains`
runs after those without, and gets their grains; one with a parameter `root` can be pointed at a recorded
tree.
"""
