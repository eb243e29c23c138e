"""Schedule of jobs: firing times, conditions, and changes by users.

The package reads no files and no clock; times are arguments (naive local times, as in stock), so tests
control the clock. Begin with `schedule.py`; `job.py` is one job, `timing.py` computes when it fires,
`conditions.py` whether it may run, `changes.py` handles requests of the `schedule.*` functions.
"""

from salt_g.schedule.schedule import Due, Schedule

__all__ = ["Due", "Schedule"]
