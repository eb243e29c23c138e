"""Background work of the minion: schedule, beacons, startup states, metrics.

Begin with `automation.py`.
"""
