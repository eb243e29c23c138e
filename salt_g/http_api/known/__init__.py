"""Caches that requests of the HTTP API share: rows of minions, functions, targets, repeatable answers."""
