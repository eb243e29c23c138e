"""Unpacked archives as they should be.

Begin with `extracted.py`; `job.py` is what one extraction knows, `checks.py` refuses wrong
arguments, `comparing.py` finds out whether there is something to do, `unpacking.py` does it.
"""

from salt_g.states.archive.extracted import extracted

__all__ = ["extracted"]
