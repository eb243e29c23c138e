"""PostgreSQL as the database of the store, for masters that keep their data on a server.

Begin with `store.py`; `server.py` is the database as the writer's thread sees it, `connection.py` a
connection with a time limit for each statement, `schema.py` the tables. Imported only for a store on a
server.
"""
