"""Connection to a master: sign-in, encrypted channel, publications, outgoing events.

Begin with `session.py`.
"""
