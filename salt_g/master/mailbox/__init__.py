"""Mailbox of a master: jobs for minions that are away, delivered when they are back.

Begin with `mailbox.py`, which accepts orders; `letter_delivery.py` sends them.
"""
