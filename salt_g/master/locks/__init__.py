"""Locks and change freezes of a master: targets on which nothing may be changed, by whom, why, until when."""
