"""Runners: functions that run on the master, for whoever has the whole fleet in view.

They reach the fleet, the job cache and the bus as `salt_g.api.services()`; see `salt_g/daemon_services.py`.
"""
