"""The master daemon: one hub, one file per duty.

Begin with `commands.py` (the commands a peer may send, as tables), then `daemon.py` (the parts and their
wiring). A request travels through `requests.py`; a job through `publish.py`, `target_resolution.py` and
`return_intake.py`; a sign-in through `authentication.py` and `sessions.py`.
"""
