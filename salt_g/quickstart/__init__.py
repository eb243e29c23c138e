"""Temporary fleet: one master and some minions on this host, below one directory.

Begin with `fleet.py` (the daemons), then `daemon.py` (one process). `tree/` contains the sample states and
pillar; all their changes are below each minion's own directory.
"""
