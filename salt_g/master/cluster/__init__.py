"""Duties of a master in a cluster: relaying jobs, and sharing keys and presence.

Begin with `relay.py`; `salt_g/cluster/` has the data that masters share, `cluster.py` connects the two.
"""
