"""Calls on the master: runners, wheel functions, local commands, and the permissions for them.

Begin with `runner_calls.py`; `authorization.py` holds the permission checks.
"""
