"""Rollouts: a job in waves of minions, with checks behind each wave and an end when too many fail.

Begin with `rollouts.py`, which starts, resumes and knows them; `rollout_run.py` takes one from wave to wave.
"""
