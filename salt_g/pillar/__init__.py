"""Pillar for one minion. Begin with `compiler.py`."""
