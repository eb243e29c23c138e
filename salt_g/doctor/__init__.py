"""Checks of `salt-g doctor`: a list of findings about this host's master or minion.

Begin with `finding.py`, then `host.py` (checks shared by both roles), `master.py` and `minion.py` (checks of
one role).
"""
