"""Types of resources that salt-g brings, a package each; `docs/resources.md` says how to write one.

A type imports floors 0 to 2, as execution modules do. Begin with `dummy/`.
"""
