"""Rollouts: jobs in waves of minions, with checks after each wave and a stop when too many fail.

Begin with `rollouts.py`, which starts and resumes them; `rollout_run.py` runs one from wave to wave.
"""
