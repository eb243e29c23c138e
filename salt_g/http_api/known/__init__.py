"""Data from the master that requests of the HTTP API share: rights of users, rows of minions."""
