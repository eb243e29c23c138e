"""A fleet to try: one master and some minions on this host, in a directory of their own.

Begin with `fleet.py` (what is there), then `daemon.py` (one process). `tree/` holds the sample states and
pillar; whatever they change lies below each minion's own directory.
"""
