"""Beacons: checks of a minion that fire events on changes; run by `minion/background/beacons.py`."""
