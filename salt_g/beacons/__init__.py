"""Beacons: checks of a minion whose findings become events. A plugin room run by `minion/background/beacons.py`."""
