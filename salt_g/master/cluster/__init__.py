"""What a cluster changes in the duties of a master: jobs are relayed, keys and presence are those of all.

Begin with `relay.py`; `salt_g/cluster/` has what masters share, `cluster.py` joins both.
"""
