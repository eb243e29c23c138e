"""Cluster of masters on one PostgreSQL database: membership, messages and shared data.

Masters never talk to each other directly, only through the database. Begin with `membership.py` (joining and
beats), `log.py` (messages of the other masters) and `tables.py` (the SQL); `observed_beats.py` decides which
masters have ended, `shared_keys.py` and `shared_invitations.py` hold the minions' keys and the invitations,
`sealing.py` protects secrets from readers of the database. `salt_g/master/cluster/` connects all
this to the duties of a master.
Imported only with the setting `cluster`.
"""
