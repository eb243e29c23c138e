"""Background work of the minion: schedule, beacons, metrics.

Begin with `automation.py`.
"""
