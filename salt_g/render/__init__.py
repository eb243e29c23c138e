"""Renderers, which turn SLS and template text into data. Begin with `pipe.py`."""
