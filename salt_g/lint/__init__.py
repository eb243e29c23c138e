"""Errors in a state tree, found without a minion: SLS compiled on recorded grains of several systems.

Nothing of the tree runs on this machine: templates get an unknown value (`unknown.py`) from every function
that asks a minion, and files of renderers that execute Python are only parsed. Begin with `linter.py`.
"""
