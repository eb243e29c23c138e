"""Engines: functions that run as long as their daemon. A plugin room.

An engine is a file with a function `start(**options)` that does not return; `_supervision.py` runs them.
"""

from salt_g.engines._supervision import Engines

__all__ = ["Engines"]
