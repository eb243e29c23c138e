"""Outputters: data to text. Begin with `nested.py`, the default; `registry.py` finds them by name."""

from salt_g.output.registry import outputter_for, render

__all__ = ["outputter_for", "render"]
