"""Renderers: SLS and template text to data. Begin with `pipe.py`."""
