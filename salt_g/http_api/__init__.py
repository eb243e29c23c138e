"""HTTP API of a master, in a separate process: stock's routes (`rest_cherrypy`), and ours below /v1.

Begin with `daemon.py` (components and lifecycle), then `routes.py` (routing). `server.py` and `connection.py`
transfer bytes and `master_link.py` talks to the master; the other modules work on values only. The process
has no rights of its own, because each order carries the token or login of its user.
"""
