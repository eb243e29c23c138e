"""Wheel functions: what operators change on the master itself (keys, settings, roots).

They run in the master's process, one call at a time for each caller, and answer with their
result. They reach keys and presence as `salt_g.api.services()`; see `salt_g/daemon_services.py`.
"""
