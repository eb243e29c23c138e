"""Outputters: data to text. Begin with `nested.py`, the default; `choice.py` finds them by name."""

from salt_g.output.choice import outputter_for, render

__all__ = ["outputter_for", "render"]
