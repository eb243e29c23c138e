"""The way of the store from version to version: one file for each step, which is never changed once released.

Begin with `../schema.py`, which takes the steps in order. A new step is a new file with `SQL`, its name
in `schema.STEPS`, and a recorded store of the version before in `tests/unit/cache/recorded`.
"""
