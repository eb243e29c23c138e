"""Work that the minion starts by itself: schedule, beacons, startup states, metrics.

Begin with `automation.py`.
"""
