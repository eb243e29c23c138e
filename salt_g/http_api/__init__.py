"""The HTTP API of a master: stock's routes (`rest_cherrypy`), in a process of its own.

Begin with `daemon.py` (the parts and their life), then `routes.py` (what is answered where). `server.py` and
`connection.py` carry bytes, `master_link.py` speaks with the master; the files between them turn values into
values. The process has no rights: each order carries the token or login of its user.
"""
