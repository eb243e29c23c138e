"""Runners: functions that run on the master and have access to the whole fleet.

They use the fleet, the job cache and the bus through `salt_g.api.services()`; see
`salt_g/services/daemons.py`.
"""
