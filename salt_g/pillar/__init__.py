"""Pillar for one minion. Begin with `compiler.py`.

`top.py` says which SLS, `tree.py` renders them, `external.py` asks external pillars (ours are in
`sources/`), `merging.py` puts it all together, `decrypt.py` opens what is encrypted.
"""
