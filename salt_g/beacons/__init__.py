"""Beacons: what a minion watches and tells of by events. A plugin room; `minion/background/beacons.py` asks them."""
