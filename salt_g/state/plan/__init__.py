"""Plans: test runs that are kept, approved, and applied exactly as kept.

Imported only by runs that make or apply a plan. Read `runs.py` first; docs/plan.md describes it for users.
"""
