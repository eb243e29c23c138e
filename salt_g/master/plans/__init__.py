"""Plans that a master keeps: made by test runs of minions, approved, applied once.

Other parts use only `plan_gate.py`; the rest is imported when the first plan is made. Read `plan_commands.py`
next; docs/plan.md describes plans for users.
"""
