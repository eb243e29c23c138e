"""Command-line interface of salt-g. Begin with `dispatch.py`."""

from salt_g.cli.dispatch import main

__all__ = ["main"]
