"""Locks and change freezes of a master: targets protected from changes, with owner, reason and end."""
