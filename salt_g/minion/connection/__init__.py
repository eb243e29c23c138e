"""The connection to a master: sign-in, sealed channel, publications, outgoing events.

Begin with `session.py`.
"""
