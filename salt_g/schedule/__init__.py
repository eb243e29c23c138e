"""Jobs that run by the clock: which of them are due now, and why others are not.

No file and no clock inside: moments come as arguments (naive local times, as in stock), so that tests
move the clock by hand. Begin with `schedule.py`; `job.py` is one job, `timing.py` says when it
fires, `conditions.py` whether it may, `changes.py` what `schedule.*` functions ask of a running minion.
"""

from salt_g.schedule.schedule import Due, Schedule

__all__ = ["Due", "Schedule"]
