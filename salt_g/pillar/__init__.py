"""Pillar of one minion. Begin with `compiler.py`.

`top.py` selects the SLS, `tree.py` renders them, `external.py` calls external pillars (the built-in ones are
in `sources/`), `merging.py` merges the parts, `decrypt.py` decrypts values.
"""
