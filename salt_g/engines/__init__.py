"""Engines: functions that run as long as their daemon does. A plugin room.

An engine is a file with a function `start(**options)` that does not return; `_keeping.py` runs them.
"""

from salt_g.engines._keeping import Engines

__all__ = ["Engines"]
