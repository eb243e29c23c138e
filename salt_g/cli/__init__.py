"""The command line: arguments in, exit code out. Begin with `dispatch.py`."""

from salt_g.cli.dispatch import main

__all__ = ["main"]
