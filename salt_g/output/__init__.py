"""Outputters: data to text. Begin with `nested.py`, the default."""
