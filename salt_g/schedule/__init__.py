"""Scheduled jobs: those due now, and why others are not.

No file and no clock inside: times are arguments (naive local times, as in stock), so tests control the clock.
Begin with `schedule.py`; `job.py` is one job, `timing.py` computes when it fires, `conditions.py` whether it
may, `changes.py` handles requests of the `schedule.*` functions.
"""

from salt_g.schedule.schedule import Due, Schedule

__all__ = ["Due", "Schedule"]
