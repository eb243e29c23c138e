"""Network of this host: interfaces, name resolution, TLS contexts, proxies, event bus addresses.

`postgres.py` opens connections to PostgreSQL for returners and external pillars, `redis.py` to Redis for the
returner, the execution module and the external cache.
"""
