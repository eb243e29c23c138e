"""Connections to masters: sign-in, encrypted channel, publications, outgoing events.

Begin with `session.py`.
"""
