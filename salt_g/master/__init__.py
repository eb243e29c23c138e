"""The master: one hub, a file for each duty.

Begin with `commands.py` (what a peer may ask for, as tables), then `daemon.py` (which parts there
are and how they meet). A request travels through `requests.py`; a job through `publish.py`,
`target_resolution.py` and `returns.py`; a sign-in through `authentication.py` and `sessions.py`.
"""
