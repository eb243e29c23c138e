"""Plans that a master keeps: made by test runs of minions, approved, applied once.

`plan_gate.py` is what other parts know; the rest is imported when the first plan is made. Read
`plan_commands.py` next; docs/plan.md describes plans for users.
"""
