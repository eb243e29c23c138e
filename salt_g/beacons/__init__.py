"""Beacons: checks of a minion whose findings become events.

Run by `minion/background/beacons.py`.
"""
