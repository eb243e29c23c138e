"""Drivers of external caches (`cache: redis`): banks and keys in a server, in stock's layout. A plugin room.

A driver is a file with `store(bank, key, data)`, `fetch(bank, key)`, `flush(bank, key=None)`, `list(bank)`,
`contains(bank, key)` and `updated(bank, key)`, as stock's drivers and those of users in `_cache`. Ours have
`stamps(bank)` besides: the times of all keys of a bank in one request.
`salt_g/master/serving/external_cache.py` calls them.
"""
