"""Composition of the master: groups of parts, each group created at once from those before it.

Begin with `master_parts.py`, which defines the order. A group is a frozen record; a part gets what it needs
when it is created, and nothing later.
"""
