"""PostgreSQL as the database of the store, for masters that keep their data on a server.

Begin with `store.py`; `server.py` is what the writer's thread opens, `connection.py` a connection with a
time limit for each statement, `schema.py` the tables. Imported with the setting `store` only.
"""
