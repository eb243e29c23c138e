"""Returns of minions and copies of jobs and events in external stores.

Begin with `return_intake.py`.
"""
