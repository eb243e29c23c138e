"""Wheel functions: operators' changes to the master itself (keys, settings, roots).

They run in the master's process, one call at a time per caller, and return their result. They use keys
and presence through `salt_g.api.services()`; see `salt_g/services/daemons.py`.
"""
