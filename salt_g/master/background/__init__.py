"""Background work of the master: reactor, schedule, maintenance, presence, metrics.

Begin with `automation.py`.
"""
