"""Beacons: checks of a minion that fire events on changes.

`minion/background/beacons.py` runs them. A plugin room.
"""
