"""Duties of a master in a cluster: jobs are relayed, keys and presence are those of all.

Begin with `relay.py`; `salt_g/cluster/` has what masters share, `cluster.py` joins both.
"""
