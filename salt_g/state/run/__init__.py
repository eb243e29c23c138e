"""Execution of ordered low chunks.

Begin with `state_run.py`; `state_call.py` runs one chunk.
"""
