"""Check of a state tree without a minion, by compiling its SLS with recorded grains of several systems.

No code of the tree runs on this machine. Templates get an unknown value (`unknown.py`) from every function
that would query a minion, and files of renderers that execute Python are only parsed. Begin with `linter.py`.
"""
