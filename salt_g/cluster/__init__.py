"""Cluster: what several masters on one PostgreSQL server know of each other, and share.

Masters never talk to each other; the database is all that they have in common. Begin with `membership.py`
(who is here), `log.py` (what the others did) and `tables.py` (all SQL); `observed_beats.py` decides who is
gone, `shared_keys.py` and `shared_invitations.py` are the keys of minions and their invitations,
`sealing.py` keeps secrets from readers of the database. `salt_g/master/cluster/` joins this to the duties
of a master.
Imported with the setting `cluster` only.
"""
