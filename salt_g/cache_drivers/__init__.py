"""Drivers for external caches (`cache: redis`), which store banks and keys in stock's layout. A plugin room.

A driver is a file with `store(bank, key, data)`, `fetch(bank, key)`, `flush(bank, key=None)`, `list(bank)`,
`contains(bank, key)` and `updated(bank, key)`, like stock's drivers and users' drivers in `_cache`. Ours also
have `stamps(bank)`, which returns the times of all keys of a bank without a request for each.
`salt_g/master/serving/external_cache.py` calls them.
"""
