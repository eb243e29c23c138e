"""Migrations of the store: one module per version step, never changed once released.

Begin with `../schema.py`, which applies the steps in order. A new step is a new file with `SQL`, its
name in `schema.STEPS`, and a recorded store of the version before in `tests/unit/cache/recorded`.
"""
