"""Drivers of secret stores for `sdb://<profile>/<key>`. A plugin room, used by `modules/sdb.py`.

A driver is a file with a function `get(key, profile)`, and optionally `set_(key, value, profile)` and
`delete(key, profile)`; the profile is the mapping in the settings that names the driver.
"""
