"""PostgreSQL as the engine of the store, for masters that keep their data on a server.

Begin with `store.py`; `server.py` is the engine of the writer's thread, `connection.py` a connection with a
time limit for each statement, `schema.py` the tables. Imported with the setting `store` only.
"""
