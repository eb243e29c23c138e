"""Work that the master starts by itself: reactor, schedule, maintenance, presence, metrics.

Begin with `automation.py`.
"""
