"""Admission of minions: authentication, sessions, revocation of keys.

Begin with `authentication.py`.
"""
