"""Drivers of secret stores: what is behind `sdb://<profile>/<key>`. A plugin room, for `modules/sdb.py`.

A driver is a file with a function `get(key, profile)`, and `set_(key, value, profile)` and
`delete(key, profile)` where it can; the profile is the map of the settings that names it.
"""
