"""Migrations of the store: one module per version step, never changed once released.

Begin with `../schema.py`, which applies the steps in order. A new step needs a new file with `SQL`, an entry
in `schema.STEPS`, and a recorded store of the previous version in `tests/unit/cache/recorded`.
"""
